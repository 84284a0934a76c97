import { hash } from 'node:crypto';
import type { Counter } from '../access/quota.ts';
import { utcHour } from '../access/utc-window.ts';
import { REPLAYS_PER_HOUR } from '../limits.ts';

/** Who has presented a payment so far, as keyed hashes of network prefixes; null where a row is from an older release. */
export interface Presented {
  readonly claimedFrom: string | null;
  /** Who got the first answer that was written out completely; null before that. */
  readonly deliveredTo: string | null;
}

/**
 * Says whether an answer is given out once more (gap G97). After the settlement the signature is public on the chain, so from
 * the first delivery on it proves nothing; an identifier of the buyer is never on the chain.
 */
export function mayReplay(
  { claimedFrom, deliveredTo }: Presented,
  by: { readonly from: string; readonly identifier: string | null },
): boolean {
  if (deliveredTo === null || by.identifier !== null) return true;
  return by.from === deliveredTo || by.from === claimedFrom;
}

/** Counts the answers that one payment brings back in an hour. */
export function replayCounter(paymentKey: string, now: Date): Counter {
  return {
    key: `replay:${hash('sha256', paymentKey, 'hex')}`,
    window: utcHour(now),
    limit: REPLAYS_PER_HOUR,
  };
}
