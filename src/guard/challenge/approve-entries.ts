import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { isNonEmpty, type NonEmpty } from '../../core/non-empty.ts';
import { asksForExactly } from '../../core/verdict/exact-terms.ts';
import type { Expected } from '../../core/verdict/expected-terms.ts';
import { judge } from '../../core/verdict/judge.ts';
import type { ProbeAnswer } from '../../core/verdict/probe-outcome.ts';
import { readOutcome } from '../../core/verdict/reading.ts';
import { reasonWords } from '../../core/verdict/reason-words.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import type { Mainnet } from '../../core/x402/networks.ts';
import { isSameDemand, readOffer } from '../../core/x402/offer.ts';
import type { JsonObject } from '../../core/x402/read-json.ts';
import type { Terms } from '../../core/x402/terms.ts';
import { GuardRefused } from '../guard-refused.ts';
import { clampLifetime } from './clamp-lifetime.ts';
import {
  answerOf,
  type ChallengeForm,
  entriesOf,
  formOf,
  type Written402,
  withEntries,
  writeForm,
} from './form.ts';

/** What a 402 is held against. */
export interface Standard {
  readonly expected: Expected;
  readonly networks: readonly Mainnet[];
  readonly lifeMaxSeconds: number;
  /** The most that one payment may cost. */
  readonly max: MicroUsd;
  readonly now: Date;
}

/** An entry that passes every rule on its own. */
export interface Candidate {
  readonly entry: JsonObject;
  readonly terms: Terms;
  /** The 402 with nothing but this entry. The judge approved it. */
  readonly alone: Written402;
}

export interface Approvable {
  readonly form: ChallengeForm;
  /** All to one payee, at the lowest price. */
  readonly candidates: NonEmpty<Candidate>;
}

/**
 * Judges each entry alone. The payer will see no other entry than the approved ones, so that a hostile neighbour does no harm, in
 * whatever order they stand.
 */
export function approveEntries(answer: ProbeAnswer, standard: Standard): Approvable {
  const form = formOf(answer);
  if (form === null) throw refusedBy(judged(answer, standard));
  const own = form.header ?? form.body;
  const passing = entriesOf(own).flatMap((entry): Candidate[] => {
    const alone = writeForm(only(form, entry, standard));
    const verdict = judged(answerOf(alone, form.fields), standard);
    return verdict.verdict === 'pay' ? [{ entry, terms: verdict.terms, alone }] : [];
  });
  if (!isNonEmpty(passing))
    throw refusedBy(judged(answerOf(writeForm(clamped(form, standard)), form.fields), standard));
  const affordable = passing.filter(({ terms }) => terms.amountAtomic <= standard.max);
  if (!isNonEmpty(affordable)) throw new GuardRefused('over_payment_limit');
  const lowest = affordable.reduce(
    (least, { terms }) => (terms.amountAtomic < least ? terms.amountAtomic : least),
    affordable[0].terms.amountAtomic,
  );
  const cheapest = affordable.filter(({ terms }) => terms.amountAtomic === lowest);
  return { form, candidates: isNonEmpty(cheapest) ? cheapest : affordable };
}

/**
 * The 402 that the payer gets: the approved entries with a bounded lifetime, and nothing else that could be signed. It has to
 * pass the judge as a whole, by the rule that every reader signs the same payment.
 */
export function narrowForm(
  form: ChallengeForm,
  approved: NonEmpty<Candidate>,
  standard: Standard,
): Written402 {
  if (approved.length === 1) return approved[0].alone;
  const own = form.header === null ? 'body' : 'header';
  const entries = approved.map(({ entry }) => entry);
  const isApproved = (entry: JsonObject) => approved.some(({ terms }) => asksForExactly(entry, terms));
  const kept = withEntries(form, (all, place) =>
    all.filter(place === own ? (entry) => entries.includes(entry) : isApproved),
  );
  // Extensions stay as they are: clients send them back, and servers compare them with what they sent.
  const narrowed = writeForm(clamped(kept, standard));
  const verdict = judged(answerOf(narrowed, form.fields), standard);
  if (verdict.verdict !== 'pay') throw refusedBy(verdict);
  return narrowed;
}

function judged(answer: ProbeAnswer, { expected, now, networks }: Standard): Verdict {
  return judge(readOutcome(answer), expected, now, networks).verdict;
}

/** The entry, and what the body says beside the header about the same payment. A body that says only others contradicts it. */
function only(form: ChallengeForm, entry: JsonObject, standard: Standard): ChallengeForm {
  const own = form.header === null ? 'body' : 'header';
  const alone = withEntries(form, (all, place) => {
    if (place === own) return [entry];
    const same = all.filter((other) => isSamePayment(entry, other));
    return same.length === 0 ? all : same;
  });
  return clamped(alone, standard);
}

function isSamePayment(left: JsonObject, right: JsonObject): boolean {
  const [one, other] = [readOffer(left), readOffer(right)];
  return one !== null && other !== null && isSameDemand(one, other);
}

function clamped(form: ChallengeForm, { lifeMaxSeconds }: Standard): ChallengeForm {
  return withEntries(form, (all) => all.map((entry) => clampLifetime(entry, lifeMaxSeconds)));
}

function refusedBy(verdict: Verdict): GuardRefused {
  // Entries that are refused one by one may pass together only by a fault of the rules.
  if (verdict.verdict === 'pay') return new GuardRefused('bad_challenge');
  return new GuardRefused(verdict.reason, { words: reasonWords(verdict) });
}
