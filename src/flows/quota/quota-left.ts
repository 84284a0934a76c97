import type { FreeQuota } from '../../core/access/admission.ts';
import type { Caller } from '../../core/access/caller-key.ts';
import { FREE_PER_DAY, freeUse, type Metered } from '../../core/access/quota.ts';
import type { QuotaPorts } from './reserve-use.ts';

export type QuotaLeft = (metered: Metered, caller: Caller) => Promise<FreeQuota>;

/** What a caller has left today. Nothing is counted. */
export async function quotaLeft(
  metered: Metered,
  caller: Caller,
  { counters, secret, ceilings, clock }: QuotaPorts,
): Promise<FreeQuota> {
  const use = freeUse({ metered, caller, ref: null, now: clock.now() }, { secret, ceilings });
  const [used = 0, usedByAddress = 0] = await counters.used([use.caller, use.address]);
  const perDay = FREE_PER_DAY[metered];
  // Both counters must be below their limit (gap G02).
  const remaining = Math.max(0, Math.min(perDay - used, use.address.limit - usedByAddress));
  return { perDay, used, remaining };
}
