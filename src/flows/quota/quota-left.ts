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
  const used = await counters.used(use.counters);
  // Every counter must be below its limit (gaps G02 and G102).
  const left = use.counters.map(({ limit }, index) => limit - (used[index] ?? 0));
  return { perDay: FREE_PER_DAY[metered], used: used[0] ?? 0, remaining: Math.max(0, Math.min(...left)) };
}
