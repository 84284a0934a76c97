import { isNonEmpty } from '../non-empty.ts';
import { type Judgement, judgeOffers } from '../verdict/judge-offers.ts';
import { judgeRequest } from '../verdict/judge-request.ts';
import { brokenRule, type RuleId, ruleOfReason } from '../verdict/rules.ts';
import { MAINNETS } from '../x402/networks.ts';
import type { Offer } from '../x402/offer.ts';
import type { LiveReceipt } from './live-receipt.ts';

/** The offer that a receipt's verdict is about; null when none was readable. */
export function judgedOffer(receipt: LiveReceipt): Offer | null {
  return judgedAgain(receipt)?.offer ?? null;
}

/** The broken rule of a receipt; null for `pay`. */
export function receiptRule(receipt: LiveReceipt): RuleId | null {
  if (receipt.reason === 'terms_differ' || receipt.reason === 'unconfirmed')
    return rulesOfViews(receipt, receipt.reason);
  if (receipt.reason !== 'bad_challenge') return ruleOfReason(receipt.reason);
  if (receipt.liveDemand.error === 'headers_too_large') return 'bounded_headers';
  const again = judgedAgain(receipt);
  if (again === null) return 'readable';
  // A receipt of an older release does not keep demands that are not offers: a fault that only they show is not found.
  return again.verdict.reason === 'bad_challenge' ? brokenRule(again.verdict) : 'one_demand';
}

/** What others saw may add to a refusal of our own, whose rule then comes first. */
function rulesOfViews(receipt: LiveReceipt, reason: 'terms_differ' | 'unconfirmed'): RuleId | null {
  const own = judgedAgain(receipt)?.verdict;
  return own?.verdict === 'skip' ? brokenRule(own) : ruleOfReason(reason);
}

/** Judging is pure, and a receipt keeps everything the judge saw; one of an older release keeps the offers alone. */
function judgedAgain(receipt: LiveReceipt): Judgement | null {
  const { live402, expected, probe, seen, method, listedMethod } = receipt;
  if (seen !== null) {
    return judgeRequest(seen, { method, listedMethod, takesPath: false }, expected, probe.probedAt);
  }
  if (live402 === null || !isNonEmpty(live402.accepts)) return null;
  const { source, x402Version, accepts } = live402;
  const unseen = { bodyOffers: null, demands: [], hasMoreEntries: false };
  const challenge = { kind: 'readable', source, x402Version, offers: accepts, ...unseen } as const;
  return judgeOffers(challenge, expected, probe.probedAt, MAINNETS);
}
