import { expect, it } from 'vitest';
import { microUsd } from '../money/micro-usd.ts';
import { parseNetwork } from '../x402/networks.ts';
import { isUncompared, type Judged, shownReason } from './uncompared.ts';

const NOTHING = { price: null, payTo: null, network: null };

it.each<[why: string, judged: Judged, uncompared: boolean]>([
  ['nothing was expected', { verdict: 'pay', expected: NOTHING }, true],
  ['a price was', { verdict: 'pay', expected: { ...NOTHING, price: microUsd(0n) } }, false],
  ['a payee was', { verdict: 'pay', expected: { ...NOTHING, payTo: '0xabc' } }, false],
  ['only a network was', { verdict: 'pay', expected: { ...NOTHING, network: parseNetwork('base') } }, true],
  ['it is no approval anyway', { verdict: 'skip', expected: NOTHING }, false],
])('when %s', (_, judged, uncompared) => {
  expect(isUncompared(judged)).toBe(uncompared);
  expect(shownReason({ ...judged, reasonText: 'Words.' })).toBe(
    uncompared
      ? 'Words. Nothing was listed or claimed to compare with the price and payee of the live 402.'
      : 'Words.',
  );
});
