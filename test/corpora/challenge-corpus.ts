import { expect } from 'vitest';
import { z } from 'zod';
import { parseUsdNumber, usdNumber } from '../../src/core/money/micro-usd.ts';
import { termsSha256 } from '../../src/core/receipt/terms-hash.ts';
import { type Expected, expectedTerms } from '../../src/core/verdict/expected-terms.ts';
import { reasonWords } from '../../src/core/verdict/reason-words.ts';
import type { AnswerVerdict } from '../../src/core/verdict/verdict.ts';
import { parseNetwork } from '../../src/core/x402/networks.ts';
import { readFixture } from '../support/fixture.ts';
import { generatedBody, generatedHeaders } from './generated-challenges.ts';

const answer = z.object({ verdict: z.string(), reason_code: z.string() });
const corpus = z.array(
  answer.extend({
    id: z.string(),
    status: z.number(),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    body: z.string().nullable(),
    method: z.enum(['GET', 'POST']).default('GET'),
    expected: z.object({
      claimed_price: z.number().optional(),
      pay_to: z.string().optional(),
      network: z.string().optional(),
    }),
    why: z.string(),
    also_ok: z.array(answer).default([]),
    behavior: z
      .object({ kind: z.string(), data: z.string(), value: z.string(), raw: z.string() })
      .partial()
      .optional(),
    body_gen: z.object({ kind: z.string(), n: z.number() }).optional(),
    headers_gen: z.object({ kind: z.string(), bytes: z.number() }).optional(),
    free_trial_remaining: z.number().nullable().optional(),
    payment: z
      .object({
        network: z.string(),
        asset: z.string(),
        amount_atomic: z.string(),
        amount_usd: z.number(),
        pay_to: z.string(),
        deadline_source: z.string(),
      })
      .optional(),
    payment_terms_sha256: z.string().optional(),
    must_escape: z.array(z.string()).default([]),
  }),
);

export type ChallengeCase = z.infer<typeof corpus>[number];

export function challengeCorpus(): ChallengeCase[] {
  return readFixture('challenges.json', corpus);
}

/** The answer of the case's seller. */
export function answerOf(entry: ChallengeCase): { headers: (readonly [string, string])[]; body: string } {
  const listed = Object.entries(entry.headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  return {
    headers: entry.headers_gen === undefined ? listed : generatedHeaders(entry.headers_gen.bytes),
    body: entry.body_gen === undefined ? (entry.body ?? '') : generatedBody(entry.body_gen),
  };
}

/** What the case's caller sends to compare with. */
export function expectedOf({ expected }: ChallengeCase): Expected {
  const { claimed_price, pay_to, network } = expected;
  const price = claimed_price === undefined ? null : parseUsdNumber(claimed_price);
  const claimed = {
    price,
    payTo: pay_to ?? null,
    network: network === undefined ? null : parseNetwork(network),
  };
  return expectedTerms(claimed, null);
}

/** Where the corpus leaves a choice, ours is pinned: it may only change on purpose. */
const DECIDED = new Map<string, string>([
  ['ok-31', 'bad_challenge'], // clients append text to the time and sign for thousands of years (G96)
  ['ok-32', 'bad_challenge'], // a signature for longer than a day (G96)
  ['ok-36', 'bad_challenge'], // an expired validBefore (G44)
  ['ok-46', 'bad_challenge'], // a permit is not the transfer that we approve (G96)
  ['accepts-08', 'bad_challenge'], // a client signs the first entry, which is dearer (G95)
  ['price-14', 'price_ok'], // nothing to pay, exactly as claimed (G37)
  ['price-16', 'price_ok'], // claims are rounded to micro-USD (G37)
  ['price-20', 'bad_challenge'], // two amounts that differ (G33)
  ['asset-21', 'bad_challenge'], // a letter that no address has
  ['payto-12', 'bad_challenge'],
  ['payto-15', 'bad_challenge'],
  ['payto-20', 'bad_challenge'],
  ['payto-33', 'bad_challenge'], // a repeated money key (L02)
  ['payto-36', 'bad_challenge'], // header and body disagree (G33)
  ['accepts-23', 'bad_challenge'], // over the size limit
  ['enc-24', 'price_ok'], // base64url is read (G33)
  ['enc-51', 'price_ok'], // either amount field in either version (G33)
  ['status-43', 'no_paywall'], // nothing claims to be a challenge (G34)
  ['trial-05', 'no_paywall'], // not one of the two trial headers (G41)
  ['net-io-04', 'timeout'], // a body that comes late may still ask for something else (L05)
  ['net-io-23', 'unreachable'], // a folded header is not valid HTTP any more, and the parser refuses it
]);

/** The reason that we give, where the corpus allows several. */
export function decided(entry: ChallengeCase): string {
  return DECIDED.get(entry.id) ?? entry.reason_code;
}

/** Holds a verdict against its case: the decided answer, one the corpus allows, with its exact payment. */
export function expectVerdict(entry: ChallengeCase, verdict: AnswerVerdict): void {
  const allowed = [entry, ...entry.also_ok].map(({ verdict: word, reason_code }) => `${word}/${reason_code}`);
  expect(allowed).toContain(`${verdict.verdict}/${verdict.reason}`);
  expect(verdict.reason).toBe(decided(entry));
  for (const text of entry.must_escape) expect(reasonWords(verdict)).not.toContain(text);
  if (verdict.reason === 'free_trial_active') expect(verdict.remaining).toBe(entry.free_trial_remaining);
  if (verdict.verdict !== 'pay' || entry.payment === undefined) return;
  const { terms } = verdict;
  expect({
    network: terms.network,
    asset: terms.asset,
    amount_atomic: String(terms.amountAtomic),
    amount_usd: usdNumber(terms.amountAtomic),
    pay_to: terms.payTo.toLowerCase(),
    deadline_source: terms.deadlineSource,
  }).toEqual({ ...entry.payment, pay_to: entry.payment.pay_to.toLowerCase() });
  expect(termsSha256(terms)).toBe(entry.payment_terms_sha256);
}
