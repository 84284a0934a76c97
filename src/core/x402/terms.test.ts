import { describe, expect, it } from 'vitest';
import { ENTRY } from '../../../tools/samples/challenge.ts';
import { microUsd } from '../money/micro-usd.ts';
import { termsSha256 } from '../receipt/terms-hash.ts';
import { MAINNETS } from './networks.ts';
import { readOffer } from './offer.ts';
import { quotedPrice, type Terms, termsText } from './terms.ts';

const [base] = MAINNETS;
if (base === undefined) throw new Error('Base is missing from the table');
const terms: Terms = {
  scheme: 'exact',
  network: base.network,
  asset: base.usdc,
  amountAtomic: microUsd(10_000n),
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  deadline: new Date('2026-11-15T12:01:00Z'),
  deadlineSource: 'maxTimeoutSeconds',
  maxTimeoutSeconds: 60,
};

describe('the hash of the terms', () => {
  it('is taken over four facts in lower case', () => {
    expect(termsText(terms)).toBe(
      'eip155:8453|0x833589fcd6edb6e08f4c7c32d4f71b54bda02913|10000|0x209693bc6afc0c5328ba36faf03c514ef312287c',
    );
    expect(termsSha256(terms)).toBe('680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b');
  });
});

describe('a quoted price', () => {
  it.each<[string, object, bigint | null]>([
    ['canonical USDC', {}, 10_000n],
    ['canonical USDC in lower case', { asset: ENTRY.asset.toLowerCase() }, 10_000n],
    [
      'another token, whose decimals nobody vouches for',
      { asset: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb' },
      null,
    ],
    ['the USDC of another network', { network: 'eip155:1' }, null],
    ['a testnet', { network: 'base-sepolia' }, null],
    ['a network without a name', { network: '?' }, null],
  ])('%s', (_, changes, price) => {
    const offer = readOffer({ ...ENTRY, ...changes });
    expect(offer === null ? undefined : quotedPrice(offer)).toBe(price);
  });
});
