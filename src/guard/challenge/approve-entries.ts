import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { isNonEmpty, mapNonEmpty, type NonEmpty } from '../../core/non-empty.ts';
import type { Expected } from '../../core/verdict/expected-terms.ts';
import { judge } from '../../core/verdict/judge.ts';
import type { ProbeAnswer } from '../../core/verdict/probe-outcome.ts';
import { type ReadAnswer, readAnswer } from '../../core/verdict/reading.ts';
import { reasonWords } from '../../core/verdict/reason-words.ts';
import type { AnswerVerdict } from '../../core/verdict/verdict.ts';
import type { ReadableChallenge } from '../../core/x402/challenge.ts';
import { signableDemands } from '../../core/x402/demand.ts';
import type { Mainnet } from '../../core/x402/networks.ts';
import { isSameDemand, type Offer, readOffer } from '../../core/x402/offer.ts';
import type { JsonObject } from '../../core/x402/read-json.ts';
import type { Terms } from '../../core/x402/terms.ts';
import { GuardRefused } from '../guard-refused.ts';
import { amountAsText } from './amount-as-text.ts';
import { clampLifetime } from './clamp-lifetime.ts';
import { type ChallengeForm, entriesOf, formOf, type Written402, withEntries, writeForm } from './form.ts';

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
  readonly offer: Offer;
  readonly terms: Terms;
}

export interface Approvable {
  readonly seen: SeenForm;
  /** All at the lowest price. */
  readonly candidates: NonEmpty<Candidate>;
}

/** A readable 402: its documents, and what the judge read in them. */
interface SeenForm {
  readonly form: ChallengeForm;
  readonly answer: ReadAnswer;
  readonly challenge: ReadableChallenge;
}

/**
 * Judges each entry alone. The payer will see no other entry than the approved ones, so that a hostile neighbour does no harm, in
 * whatever order they stand.
 */
export function approveEntries(probe: ProbeAnswer, standard: Standard): Approvable {
  const seen = seenIn(probe, standard);
  const entries = entriesOf(seen.form.header ?? seen.form.body).flatMap((entry) => {
    const offer = readOffer(clampLifetime(entry, standard.lifeMaxSeconds));
    return offer === null ? [] : [{ entry, offer }];
  });
  const passing = entries.flatMap(({ entry, offer }): Candidate[] => {
    const verdict = judged(seen, [{ entry, offer }], standard);
    return verdict.verdict === 'pay' ? [{ entry, offer, terms: verdict.terms }] : [];
  });
  if (!isNonEmpty(passing)) throw refusedBy(isNonEmpty(entries) ? judged(seen, entries, standard) : null);
  const affordable = passing.filter(({ offer }) => offer.amountAtomic <= standard.max);
  if (!isNonEmpty(affordable)) throw new GuardRefused('over_payment_limit');
  const amounts = mapNonEmpty(affordable, ({ offer }) => offer.amountAtomic);
  const lowest = amounts.reduce((least, amount) => (amount < least ? amount : least));
  const cheapest = affordable.filter(({ offer }) => offer.amountAtomic === lowest);
  return { seen, candidates: isNonEmpty(cheapest) ? cheapest : affordable };
}

/** What is left has to pass the judge as a whole, by the rule that every reader signs the same payment. */
export function refuseContradiction(seen: SeenForm, approved: NonEmpty<Candidate>, standard: Standard): void {
  // One alone has passed already.
  const verdict = approved.length === 1 ? null : judged(seen, approved, standard);
  if (verdict !== null && verdict.verdict !== 'pay') throw refusedBy(verdict);
}

/** The 402 that the payer gets: the approved entries with a bounded lifetime and their amount as text, and nothing else that could be signed. */
export function narrow402(
  seen: SeenForm,
  approved: NonEmpty<Candidate>,
  { lifeMaxSeconds }: Standard,
): Written402 {
  const own = seen.form.header === null ? 'body' : 'header';
  const isApproved = (entry: JsonObject) => {
    const offer = readOffer(clampLifetime(entry, lifeMaxSeconds));
    return offer?.transfer === 'ordinary' && approved.some((one) => isSameDemand(one.offer, offer));
  };
  const narrowed = withEntries(seen.form, (all, place) =>
    all
      .filter(place === own ? (entry) => approved.some((one) => one.entry === entry) : isApproved)
      .map((entry) => amountAsText(clampLifetime(entry, lifeMaxSeconds))),
  );
  // Extensions stay as they are: clients send them back, and servers compare them with what they sent.
  return writeForm(narrowed);
}

function seenIn(probe: ProbeAnswer, standard: Standard): SeenForm {
  const answer = readAnswer(probe);
  const { challenge } = answer;
  const form = challenge.kind === 'readable' ? formOf(probe, challenge) : null;
  if (challenge.kind === 'readable' && form !== null) return { form, answer, challenge };
  throw refusedBy(judge(answer, standard.expected, standard.now, standard.networks).verdict);
}

/**
 * The verdict on a 402 with these entries alone, and with what its body says about the same payments. A body that says only others
 * contradicts them.
 */
function judged(
  { answer, challenge }: SeenForm,
  entries: NonEmpty<Pick<Candidate, 'entry' | 'offer'>>,
  { expected, now, networks, lifeMaxSeconds }: Standard,
): AnswerVerdict {
  const offers = mapNonEmpty(entries, ({ offer }) => offer);
  const same = challenge.bodyOffers?.filter((other) => offers.some((offer) => isSameDemand(offer, other)));
  const narrowed: ReadableChallenge = {
    ...challenge,
    offers,
    bodyOffers: same === undefined || same.length === 0 ? challenge.bodyOffers : same,
    demands: signableDemands(entries.map(({ entry }) => clampLifetime(entry, lifeMaxSeconds))),
    hasMoreEntries: false,
  };
  return judge({ ...answer, challenge: narrowed }, expected, now, networks).verdict;
}

function refusedBy(verdict: AnswerVerdict | null): GuardRefused {
  // Entries that are refused one by one may pass together only by a fault of the rules.
  if (verdict === null || verdict.verdict === 'pay') return new GuardRefused('bad_challenge');
  return new GuardRefused(verdict.reason, { words: reasonWords(verdict) });
}
