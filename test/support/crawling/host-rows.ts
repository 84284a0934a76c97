import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { afterNoon } from '../../../tools/samples/store-receipts.ts';

export const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const SHOUTED = PAYEE.toUpperCase().replace('0X', '0x');
export const DAY = 86_400_000;
const paid = {
  verdict: 'pay',
  code: 'price_ok',
  reason: 'matches listing',
  payTo: PAYEE,
  listedPayTo: PAYEE,
} as const;
const swapped = {
  code: 'pay_to_mismatch',
  reason: 'payee differs',
  payTo: THIEF,
  listedPayTo: SHOUTED,
} as const;

/** The host a.example, whose endpoints are those of the previous run with another price and another payee. */
export const BEFORE = [
  crawlRow(101, { url: 'https://a.example/one', ...paid, quotedPrice: microUsd(10_000n) }),
  crawlRow(102, { url: 'https://a.example/two', ...paid, quotedPrice: microUsd(10_000n) }),
].map((row, n) => ({ ...row, urlKey: `key-${n + 1}` }));
export const NOW = [
  crawlRow(1, {
    url: 'https://a.example/one',
    ...paid,
    quotedPrice: microUsd(20_000n),
    checkedAt: afterNoon(DAY),
  }),
  crawlRow(2, {
    url: 'https://a.example:8443/two',
    ...swapped,
    quotedPrice: microUsd(10_000n),
    checkedAt: afterNoon(DAY),
  }),
  crawlRow(3, {
    url: 'https://a.example/three',
    code: 'needs_input',
    reason: 'needs input',
    payTo: null,
    quotedPrice: null,
  }),
  crawlRow(4, { url: 'https://b.example/four', ...paid, payTo: SHOUTED }),
  crawlRow(5, { url: 'https://b.example/five', ...paid, payTo: SOLANA, listedPayTo: null }),
  crawlRow(6, { url: 'https://gone.example/six', ...paid }),
  crawlRow(7, { url: 'https://[2001:db8::1]:8443/seven', verdict: 'recheck', code: 'timeout', payTo: null }),
];
