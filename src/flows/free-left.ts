import type { FreeQuota } from '../core/access/admission.ts';
import type { Caller } from '../core/access/caller-key.ts';
import { type AddressCeilings, FREE_PER_DAY, freeUse, type Metered } from '../core/access/quota.ts';
import type { CounterStore } from '../ports/counter-store.ts';

export interface FreeLeftParts {
  readonly counters: Pick<CounterStore, 'used'>;
  readonly secret: string;
  readonly ceilings: AddressCeilings;
  readonly now: () => Date;
}

export type FreeLeft = (metered: Metered, caller: Caller) => Promise<FreeQuota>;

/** What a caller still has today, without counting anything: shown before it is spent. */
export function createFreeLeft({ counters, secret, ceilings, now }: FreeLeftParts): FreeLeft {
  return async (metered, caller) => {
    const use = freeUse({ metered, caller, ref: null, now: now() }, { secret, ceilings });
    const [used = 0, usedByAddress = 0] = await counters.used([use.caller, use.address]);
    const perDay = FREE_PER_DAY[metered];
    // Both have to leave room for one more (gap G02).
    const remaining = Math.max(0, Math.min(perDay - used, use.address.limit - usedByAddress));
    return { perDay, used, remaining };
  };
}
