import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../test/support/sized.ts';
import { BASE, ENTRY, header, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { microUsd } from '../money/micro-usd.ts';
import { parseNetwork } from '../x402/networks.ts';
import type { Offer } from '../x402/offer.ts';
import { crawlVerdict } from './crawl-words.ts';
import type { Expected } from './expected-terms.ts';
import { judge } from './judge.ts';
import { observe } from './observation.ts';
import { reasonWords } from './reason-words.ts';
import { type Reason, VERDICT_OF_REASON, type Verdict } from './verdict.ts';

const RUNS = sized(10_000, 100_000);
const PROBED_AT = new Date('2026-11-15T12:00:00.000Z');
const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

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
const entry = fc.record(
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
    arbitrary: fc.record({ x402Version: mostly(1, 2, 2, 2), accepts: fc.array(entry, { maxLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const claim: fc.Arbitrary<Expected> = fc.record({
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

/** The reasons that an answered probe can have. */
const REACHABLE: readonly Reason[] = [
  'price_ok',
  'price_mismatch',
  'network_mismatch',
  'pay_to_mismatch',
  'asset_not_usdc',
  'network_unsupported',
  'no_paywall',
  'bad_challenge',
  'server_error',
  'free_trial_active',
];

const answer = fc.record({
  kind: fc.constant('answered' as const),
  status: fc.constantFrom(402, 402, 402, 402, 200, 500),
  headers: fc
    .tuple(document, trialHeader, fc.boolean())
    .map(([value, trial, withHeader]) => (withHeader ? [header(value), ...trial] : trial)),
  body: body.map((text) => new TextEncoder().encode(text)),
  bodyComplete: fc.constantFrom(true, true, true, false),
});

/** What a verdict breaks, in words; plain comparisons, because a hundred thousand expectations take a minute. */
function brokenPromises(verdict: Verdict, offer: Offer | null, expected: Expected, status: number): string[] {
  const broken: string[] = [];
  const promise = (kept: boolean, words: string) => kept || broken.push(words);
  promise(verdict.verdict === VERDICT_OF_REASON[verdict.reason], 'the reason decides the verdict');
  promise(reasonWords(verdict).endsWith('.'), 'every verdict has a sentence');
  promise(crawlVerdict({ kind: 'judged', verdict }).reason !== '', 'every verdict has a crawl reason');
  promise('terms' in verdict === (verdict.verdict === 'pay'), 'only pay carries terms');
  if (verdict.verdict !== 'pay') return broken;
  const { terms } = verdict;
  const same = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  promise(status === 402, 'only a 402 is paid');
  promise(offer?.scheme === 'exact', 'only exact amounts are paid');
  promise(
    offer?.network === terms.network && same(offer.asset, terms.asset),
    'network and asset are of the one offer',
  );
  promise(
    offer?.amountAtomic === terms.amountAtomic && offer.payTo === terms.payTo,
    'so are amount and payee',
  );
  promise(expected.network === null || expected.network === terms.network, 'the expected network');
  promise(expected.payTo === null || same(expected.payTo, terms.payTo), 'the expected payee');
  promise(expected.price === null || expected.price === terms.amountAtomic, 'the expected price');
  promise(
    terms.deadline > PROBED_AT && terms.deadline.toISOString().length === 24,
    'a deadline to come, that prints',
  );
  promise(terms.amountAtomic > 0n || expected.price === 0n, 'something is paid');
  return broken;
}

describe('random challenges', () => {
  it('always get a verdict, and pay only what one offer satisfies in full', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(answer, claim, (outcome, expected) => {
        const { verdict, offer } = judge(observe(outcome), expected, PROBED_AT);
        seen.set(verdict.reason, (seen.get(verdict.reason) ?? 0) + 1);
        const broken = brokenPromises(verdict, offer, expected, outcome.status);
        if (broken.length > 0) throw new Error(broken.join('; '));
      }),
      { numRuns: RUNS },
    );
    // The generator reaches every step, or the property above would prove little.
    const rare = REACHABLE.filter((reason) => (seen.get(reason) ?? 0) < RUNS / 1_000);
    expect(rare, JSON.stringify([...seen])).toEqual([]);
  }, 120_000);

  it('do not depend on the order of the offers', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), claim, (entries, expected) => {
        const verdicts = [entries, entries.toReversed()].map((accepts) => {
          const headers = [header({ x402Version: 2, accepts })];
          return judge(
            observe({ kind: 'answered', status: 402, headers, body: new Uint8Array(), bodyComplete: true }),
            expected,
            PROBED_AT,
          ).verdict;
        });
        const [first, second] = verdicts;
        expect(first?.reason).toBe(second?.reason);
        if (first?.verdict === 'pay') expect(second).toEqual(first);
      }),
      { numRuns: sized(1_000, 5_000) },
    );
  });
});
