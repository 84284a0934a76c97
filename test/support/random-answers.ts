import fc from 'fast-check';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import type { Expected } from '../../src/core/verdict/expected-terms.ts';
import { parseNetwork } from '../../src/core/x402/networks.ts';
import { BASE, ENTRY, header, PAYEE, THIEF } from '../../tools/samples/challenge.ts';
import { USDC_ON_SOLANA } from './judging.ts';

const ODDITIES = [
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 53,
  '',
  'x',
  '１',
  '<b>',
  '__proto__',
  [],
  ['10000'],
  {},
  { payTo: THIEF },
];

/** Mostly plausible, so that deep steps are reached; sometimes what should not be there. */
const mostly = (...values: unknown[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...values) },
    { weight: 1, arbitrary: fc.constantFrom(...ODDITIES) },
  );
export const randomEntry = fc.record(
  {
    scheme: mostly('exact', 'exact', 'exact', 'upto'),
    network: mostly(BASE, BASE, 'base', 'polygon', 'solana', 'base-sepolia', '?'),
    asset: mostly(ENTRY.asset, ENTRY.asset, ENTRY.asset.toLowerCase(), USDC_ON_SOLANA, THIEF),
    payTo: mostly(PAYEE, PAYEE, THIEF, `0x${'0'.repeat(40)}`),
    amount: mostly('10000', '10000', '10001', '0', '99999999', 10_000),
    maxAmountRequired: mostly('10000', '5'),
    maxTimeoutSeconds: mostly(60, 0, 1e15),
    validBefore: mostly(4_102_444_800, 1, 'soon'),
    extra: mostly({}, { validBefore: '1' }),
  },
  { requiredKeys: ['scheme', 'network', 'asset', 'payTo', 'amount'] },
);
/** Without oddities, or one offer in a thousand would get as far as its price. */
const soundEntry = fc.record({
  scheme: fc.constant('exact'),
  network: fc.constantFrom(BASE, 'solana'),
  asset: fc.constantFrom(ENTRY.asset, USDC_ON_SOLANA),
  payTo: fc.constantFrom(PAYEE, PAYEE, THIEF),
  amount: fc.constantFrom('10000', '10000', '10001'),
  maxTimeoutSeconds: fc.constant(60),
});
const document = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      x402Version: fc.constant(2),
      accepts: fc.array(soundEntry, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      x402Version: mostly(1, 2, 2, 2),
      accepts: fc.array(randomEntry, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);
export const randomClaim: fc.Arbitrary<Expected> = fc.record({
  price: fc.constantFrom(null, null, microUsd(10_000n), microUsd(99_999_999n)),
  payTo: fc.constantFrom(null, PAYEE, PAYEE.toLowerCase(), THIEF),
  network: fc.constantFrom(null, parseNetwork(BASE), parseNetwork('solana'), parseNetwork('base-sepolia')),
  source: fc.constantFrom(null, 'request', 'listing'),
});
const trialHeader = fc.constantFrom<[string, string][]>(
  [],
  [],
  [],
  [['x-free-trial', 'true']],
  [['x-free-trial-remaining', '0']],
);
const body = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: document.map((value) => JSON.stringify(value)) },
);

export const randomAnswer = fc.record({
  kind: fc.constant('answered' as const),
  status: fc.constantFrom(402, 402, 402, 402, 200, 500),
  headers: fc
    .tuple(document, trialHeader, fc.boolean())
    .map(([value, trial, withHeader]) => (withHeader ? [header(value), ...trial] : trial)),
  body: body.map((text) => new TextEncoder().encode(text)),
  bodyComplete: fc.constantFrom(true, true, true, false),
});
