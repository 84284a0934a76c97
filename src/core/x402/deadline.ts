import { DEADLINE_DEFAULT_SECONDS, DEADLINE_MAX_SECONDS, REUSE_MARGIN_SECONDS } from '../limits.ts';
import type { Offer } from './offer.ts';

export type DeadlineSource = 'validBefore' | 'maxTimeoutSeconds' | 'default_60s';

export interface Deadline {
  readonly at: Date;
  readonly source: DeadlineSource;
}

/** The deadline for signing the terms (gap G44); null when the seller's own deadline has passed. */
export function deadlineOf(offer: Offer, probedAt: Date): Deadline | null {
  if (offer.validBeforeMs !== null) {
    if (offer.validBeforeMs <= probedAt.getTime()) return null;
    return { at: new Date(offer.validBeforeMs), source: 'validBefore' };
  }
  if (offer.maxTimeoutSeconds !== null) {
    const seconds = Math.min(offer.maxTimeoutSeconds, DEADLINE_MAX_SECONDS);
    return { at: secondsAfter(probedAt, seconds), source: 'maxTimeoutSeconds' };
  }
  return { at: secondsAfter(probedAt, DEADLINE_DEFAULT_SECONDS), source: 'default_60s' };
}

/** Whether a caller who gets the terms now still has time to sign and send them (gap G103). */
export function leavesTimeToPay(deadline: Date, probedAt: Date, now: Date): boolean {
  const lifetimeMs = deadline.getTime() - probedAt.getTime();
  return deadline.getTime() - now.getTime() >= Math.min(REUSE_MARGIN_SECONDS * 1_000, lifetimeMs / 2);
}

function secondsAfter(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1_000);
}
