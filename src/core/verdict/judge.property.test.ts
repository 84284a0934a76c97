import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  randomAnswer as answer,
  randomClaim as claim,
  randomEntry as entry,
} from '../../../test/support/random-answers.ts';
import { sized } from '../../../test/support/sized.ts';
import { header } from '../../../tools/samples/challenge.ts';
import type { Offer } from '../x402/offer.ts';
import { crawlVerdict } from './crawl-words.ts';
import type { Expected } from './expected-terms.ts';
import { judge } from './judge.ts';
import { observe } from './observation.ts';
import { reasonWords } from './reason-words.ts';
import { type AnswerVerdict, type Reason, VERDICT_OF_REASON } from './verdict.ts';

const RUNS = sized(10_000, 100_000);
const PROBED_AT = new Date('2026-11-15T12:00:00.000Z');

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

/** What a verdict breaks, in words; plain comparisons, because a hundred thousand expectations take a minute. */
function brokenPromises(
  verdict: AnswerVerdict,
  offer: Offer | null,
  expected: Expected,
  status: number,
): string[] {
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
