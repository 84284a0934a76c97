import { FREE_PER_DAY, type Metered } from './quota.ts';
import { secondsToNextUtcDay } from './utc-window.ts';

/** What the counters said when a free use was asked for. */
export type Reservation =
  /** Both counters were raised; `used` includes this use. */
  | { readonly kind: 'granted'; readonly used: number }
  /** The caller, or everybody behind the address, has had today's share. */
  | { readonly kind: 'exhausted'; readonly used: number };

export interface FreeQuota {
  readonly perDay: number;
  readonly used: number;
  readonly remaining: number;
}

/** How a call goes on. The work behind it is the same in every tier, which is why it does not appear here. */
export type Admission =
  | { readonly kind: 'free'; readonly quota: FreeQuota }
  | { readonly kind: 'payment_required'; readonly quota: FreeQuota }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number };

/** Past the free share a lookup or a check can be bought; a dry run cannot, it is never an approval (gap G09). */
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
