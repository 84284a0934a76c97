import { describe, expect, it } from 'vitest';
import { network } from '../../../tools/samples/listed.ts';
import { addressPage, explorerUrl } from './explorer.ts';
import { MAINNETS } from './networks.ts';

describe('explorers', () => {
  it.each(MAINNETS)('$name has pages for both', ({ network: caip2 }) => {
    expect(explorerUrl(caip2, '0xab')).toMatch(/^https:\/\/[a-z.]+\/tx\/0xab$/);
    expect(addressPage(caip2, '0xab')).toMatch(/^https:\/\/[a-z.]+\/(?:address|account)\/0xab$/);
  });

  it('have no page for a test network', () => {
    expect([explorerUrl(network('base-sepolia'), 'x'), addressPage(network('base-sepolia'), 'x')]).toEqual([
      null,
      null,
    ]);
  });

  it('are never led astray', () => {
    expect(addressPage(network('base'), '../tx/1?"><x')).toBe(
      'https://basescan.org/address/..%2Ftx%2F1%3F%22%3E%3Cx',
    );
  });
});
