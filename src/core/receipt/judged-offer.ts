import { isNonEmpty } from '../non-empty.ts';
import { type Judgement, judgeOffers } from '../verdict/judge-offers.ts';
import { brokenRule, type RuleId, ruleOfReason } from '../verdict/rules.ts';
import type { Offer } from '../x402/offer.ts';
import type { LiveReceipt } from './live-receipt.ts';

/** The offer that the verdict of a receipt speaks of; null where none could be read. */
export function judgedOffer(receipt: LiveReceipt): Offer | null {
  return judgedAgain(receipt)?.offer ?? null;
}

/** The rule that a receipt says was broken; null for `pay`. */
export function receiptRule(receipt: LiveReceipt): RuleId | null {
  if (receipt.reason !== 'bad_challenge') return ruleOfReason(receipt.reason);
  if (receipt.liveDemand.error === 'headers_too_large') return 'bounded_headers';
  const again = judgedAgain(receipt);
  if (again === null) return 'readable';
  // A receipt keeps no other demand, so what only that could spoil looks well without it.
  return again.verdict.reason === 'bad_challenge' ? brokenRule(again.verdict) : 'one_demand';
}

/** A receipt keeps all that the judge looked at but what other clients could read, and judging is pure. */
function judgedAgain({ live402, expected, probe }: LiveReceipt): Judgement | null {
  if (live402 === null || !isNonEmpty(live402.accepts)) return null;
  const { source, x402Version, accepts } = live402;
  const unseen = { bodyOffers: null, demands: [], hasMoreEntries: false };
  const challenge = { kind: 'readable', source, x402Version, offers: accepts, ...unseen } as const;
  return judgeOffers(challenge, expected, probe.probedAt);
}
