import { microUsd } from '../money/micro-usd.ts';
import { isSanePrice } from '../money/prices.ts';
import { isNonEmpty, mapNonEmpty, type NonEmpty } from '../non-empty.ts';
import { canReceive, isAnyAddress, isSameAddress } from '../x402/address.ts';
import type { ReadableChallenge } from '../x402/challenge.ts';
import type { Caip2, Mainnet } from '../x402/networks.ts';
import { isSameDemand, type Offer } from '../x402/offer.ts';
import {
  best,
  type Candidate,
  candidateOf,
  isSupported,
  isTimely,
  type SupportedCandidate,
  type TimelyCandidate,
  termsOf,
} from './candidate.ts';
import type { Expected } from './expected-terms.ts';
import { otherDemand } from './other-demand.ts';
import { type AnswerVerdict, badChallenge } from './verdict.ts';

export interface Judgement {
  readonly verdict: AnswerVerdict;
  /** The offer that the verdict is about: the approved one, or the best of those that got furthest. */
  readonly offer: Offer | null;
}

/** What the offers are held against. */
interface Against {
  readonly challenge: ReadableChallenge;
  readonly expected: Expected;
  readonly networks: readonly Mainnet[];
}

/**
 * One offer must pass every step (gap G35). The steps run in a fixed order, each on the survivors of the one before,
 * and the code is that of the first step that leaves none (gap G36).
 */
export function judgeOffers(
  challenge: ReadableChallenge,
  expected: Expected,
  probedAt: Date,
  networks: readonly Mainnet[],
): Judgement {
  const offered = mapNonEmpty(challenge.offers, (offer) => candidateOf(offer, probedAt, networks));
  const exact = offered.filter(({ offer }) => offer.scheme === 'exact');
  if (!isNonEmpty(exact)) return refused(offered, badChallenge({ kind: 'not_exact' }));
  const timely = exact.filter(isTimely);
  if (!isNonEmpty(timely)) return refused(exact, badChallenge({ kind: 'expired' }));
  const brief = timely.filter(({ offer }) => offer.transfer !== 'too_long');
  if (!isNonEmpty(brief)) return refused(timely, badChallenge({ kind: 'too_long' }));
  const ordinary = brief.filter(({ offer }) => offer.transfer === 'ordinary');
  if (!isNonEmpty(ordinary)) return refused(brief, badChallenge({ kind: 'other_method' }));
  return judgeNetwork(ordinary, { challenge, expected, networks });
}

function judgeNetwork(timely: NonEmpty<TimelyCandidate>, against: Against): Judgement {
  const { network } = against.expected;
  let wanted = timely;
  if (network !== null) {
    const same = timely.filter(({ offer }) => offer.network === network);
    const offered = networksOf(timely);
    if (!isNonEmpty(same))
      return refused(timely, { ...skip, reason: 'network_mismatch', expected: network, offered });
    wanted = same;
  }
  const supported = wanted.filter(isSupported);
  if (!isNonEmpty(supported)) {
    return refused(wanted, { ...skip, reason: 'network_unsupported', network: best(wanted).offer.network });
  }
  const inUsdc = supported.filter(({ isUsdc }) => isUsdc);
  if (!isNonEmpty(inUsdc)) {
    return refused(supported, {
      ...skip,
      reason: 'asset_not_usdc',
      network: best(supported).mainnet.network,
    });
  }
  return judgePayment(inUsdc, against);
}

// Payee before price: a cheaper price paid to a stranger is still theft.
function judgePayment(inUsdc: NonEmpty<SupportedCandidate>, against: Against): Judgement {
  const { payTo, price } = against.expected;
  let left = inUsdc;
  if (payTo !== null) {
    const same = left.filter(({ offer }) => isSameAddress(offer.payTo, payTo));
    const offered = addressOrNull(best(left).offer.payTo);
    if (!isNonEmpty(same))
      return refused(left, { ...skip, reason: 'pay_to_mismatch', expected: payTo, offered });
    left = same;
  }
  if (price !== null) {
    const same = left.filter(({ offer }) => offer.amountAtomic === price);
    const quoted = microUsd(best(left).offer.amountAtomic);
    if (!isNonEmpty(same))
      return refused(left, { ...skip, reason: 'price_mismatch', expected: price, quoted });
    left = same;
  }
  return judgeSafety(left, against);
}

/** Rules without an expectation: absurd prices, burn addresses, different demands to older clients. */
function judgeSafety(
  left: NonEmpty<SupportedCandidate>,
  { challenge, expected, networks }: Against,
): Judgement {
  const sane = left.filter(({ offer }) => isSanePrice(microUsd(offer.amountAtomic), expected.price));
  if (!isNonEmpty(sane)) {
    const quoted = microUsd(best(left).offer.amountAtomic);
    return refused(left, badChallenge({ kind: 'price_not_sane', quoted }));
  }
  const receivable = sane.filter(({ offer, mainnet }) => canReceive(offer.payTo, mainnet));
  if (!isNonEmpty(receivable)) return refused(sane, badChallenge({ kind: 'payee_cannot_receive' }));
  const consistent = receivable.filter(({ offer }) => !offer.selfContradictory);
  if (!isNonEmpty(consistent)) return refused(receivable, badChallenge({ kind: 'spelled_twice' }));
  const undisputed = consistent.filter(({ offer }) => isUndisputed(offer, challenge));
  if (!isNonEmpty(undisputed)) return refused(consistent, badChallenge({ kind: 'header_and_body_differ' }));
  const chosen = best(undisputed);
  const other = otherDemand(challenge, microUsd(chosen.offer.amountAtomic), networks);
  if (other !== null) return refused(undisputed, badChallenge(other));
  const priceCompared = expected.price !== null;
  return {
    verdict: { verdict: 'pay', reason: 'price_ok', terms: termsOf(chosen), priceCompared },
    offer: chosen.offer,
  };
}

/** The body repeats the offer, or only offers of the header on other networks: older clients often get a shorter list. */
function isUndisputed(offer: Offer, { offers, bodyOffers }: ReadableChallenge): boolean {
  if (bodyOffers === null || bodyOffers.some((other) => isSameDemand(offer, other))) return true;
  const isElsewhere = (other: Offer) =>
    other.network !== offer.network && offers.some((one) => isSameDemand(one, other));
  return bodyOffers.length > 0 && bodyOffers.every(isElsewhere);
}

const skip = { verdict: 'skip' } as const;

function refused(candidates: NonEmpty<Candidate>, verdict: AnswerVerdict): Judgement {
  return { verdict, offer: best(candidates).offer };
}

function addressOrNull(payTo: string): string | null {
  return isAnyAddress(payTo) ? payTo : null;
}

function networksOf(candidates: NonEmpty<Candidate>): readonly (Caip2 | null)[] {
  return [...new Set(candidates.map(({ offer }) => offer.network))];
}
