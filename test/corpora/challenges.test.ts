import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseUsdNumber, usdNumber } from '../../src/core/money/micro-usd.ts';
import { type Expected, expectedTerms } from '../../src/core/verdict/expected-terms.ts';
import { judge } from '../../src/core/verdict/judge.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import { reasonWords } from '../../src/core/verdict/reason-words.ts';
import { parseNetwork } from '../../src/core/x402/networks.ts';
import { termsSha256 } from '../../src/core/x402/terms.ts';
import { readFixture } from '../support/fixture.ts';
import { generatedBody, generatedHeaders } from './generated-challenges.ts';

/** The challenge corpus against parser and judge. Broken transports are left to the suite of the real prober. */
const answer = z.object({ verdict: z.string(), reason_code: z.string() });
const corpus = z.array(
  answer.extend({
    id: z.string(),
    status: z.number(),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    body: z.string().nullable(),
    expected: z.object({
      claimed_price: z.number().optional(),
      pay_to: z.string().optional(),
      network: z.string().optional(),
    }),
    why: z.string(),
    also_ok: z.array(answer).default([]),
    behavior: z.object({ kind: z.string().optional() }).optional(),
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
type Case = z.infer<typeof corpus>[number];

const PROBED_AT = new Date('2026-11-15T12:00:00.000Z');
/** Of the scripted transports, those that end a body early reach the parser; the rest never do. */
const all = readFixture('challenges.json', corpus);
const cases = all.filter(({ behavior, headers }) => {
  if (behavior === undefined || behavior.kind === 'big_body') return true;
  return behavior.kind === 'drip_body' && 'PAYMENT-REQUIRED' in headers;
});

function judged(entry: Case) {
  const listed = Object.entries(entry.headers).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  const headers = entry.headers_gen === undefined ? listed : generatedHeaders(entry.headers_gen.bytes);
  const body = entry.body_gen === undefined ? (entry.body ?? '') : generatedBody(entry.body_gen);
  const observation = observe({
    kind: 'answered',
    status: entry.status,
    headers,
    body: new TextEncoder().encode(body),
    bodyComplete: entry.behavior === undefined,
  });
  return judge(observation, expectedOf(entry), PROBED_AT).verdict;
}

function expectedOf({ expected }: Case): Expected {
  const { claimed_price, pay_to, network } = expected;
  const price = claimed_price === undefined ? null : parseUsdNumber(claimed_price);
  return expectedTerms(
    { price, payTo: pay_to ?? null, network: network === undefined ? null : parseNetwork(network) },
    null,
  );
}

/** Where the corpus leaves a choice, ours is pinned: it may only change on purpose. */
const DECIDED = new Map<string, string>([
  ['ok-36', 'bad_challenge'], // an expired validBefore (G44)
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
]);

describe('challenge corpus', () => {
  it.each(cases.map((entry) => [entry.id, entry.why, entry] as const))('%s: %s', (id, _, entry) => {
    const verdict = judged(entry);
    const allowed = [entry, ...entry.also_ok].map(
      ({ verdict: word, reason_code }) => `${word}/${reason_code}`,
    );
    expect(allowed).toContain(`${verdict.verdict}/${verdict.reason}`);
    expect(verdict.reason).toBe(DECIDED.get(id) ?? entry.reason_code);
    for (const text of entry.must_escape) expect(reasonWords(verdict)).not.toContain(text);
    if (verdict.reason === 'free_trial_active') expect(verdict.remaining).toBe(entry.free_trial_remaining);
    if (verdict.verdict === 'pay' && entry.payment !== undefined) {
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
  });

  it('is run nearly whole', () => {
    expect([all.length, cases.length]).toEqual([205, 190]);
  });
});
