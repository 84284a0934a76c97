import { FREE_PER_DAY, type Metered } from './quota.ts';
import { secondsToNextUtcDay } from './utc-window.ts';

/** The outcome of reserving a free use. */
export type Reservation =
  /** Both counters were incremented; `used` includes this use. */
  | { readonly kind: 'granted'; readonly used: number }
  /** The daily quota of the caller or of its address is used up. */
  | { readonly kind: 'exhausted'; readonly used: number };

export interface FreeQuota {
  readonly perDay: number;
  readonly used: number;
  readonly remaining: number;
}

/** What happens to a call. The work is the same in every tier, so it does not appear here. */
export type Admission =
  | { readonly kind: 'free'; readonly quota: FreeQuota }
  | { readonly kind: 'payment_required'; readonly quota: FreeQuota }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number };

/** Beyond the free quota a lookup or a check can be bought. A dry run cannot: it is never an approval (gap G09). */
export function admit(metered: Metered, reservation: Reservation, now: Date): Admission {
  const quota = quotaOf(metered, reservation.used);
  if (reservation.kind === 'granted') return { kind: 'free', quota };
  if (metered === 'dry_run') return { kind: 'rate_limited', retryAfterSeconds: secondsToNextUtcDay(now) };
  return { kind: 'payment_required', quota };
}

export function quotaOf(metered: Metered, used: number): FreeQuota {
  const perDay = FREE_PER_DAY[metered];
  return { perDay, used, remaining: Math.max(0, perDay - used) };
}
