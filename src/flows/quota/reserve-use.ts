import { type Admission, admit } from '../../core/access/admission.ts';
import type { Caller } from '../../core/access/caller-key.ts';
import { type AddressCeilings, freeUse, type Metered } from '../../core/access/quota.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CounterStore } from '../../ports/counter-store.ts';

/** The caller and what it asks for. */
export interface UseRequest {
  readonly metered: Metered;
  readonly caller: Caller;
  readonly ref: string | null;
}

export interface QuotaPorts {
  readonly counters: CounterStore;
  readonly secret: string;
  readonly ceilings: AddressCeilings;
  readonly clock: Pick<Clock, 'now'>;
}

export interface ReservedUse {
  readonly admission: Admission;
  /** When it was reserved; the answer and its headers use the same moment. */
  readonly at: Date;
  /** Gives back the caller's use, not the address's (gap G06). Without a reserved use, or called twice, it does nothing. */
  giveBack(): Promise<void>;
}

/** Reserves a free use before any work is done for it (gap G06). */
export async function reserveUse(
  { metered, caller, ref }: UseRequest,
  { counters, secret, ceilings, clock }: QuotaPorts,
): Promise<ReservedUse> {
  const at = clock.now();
  const use = freeUse({ metered, caller, ref, now: at }, { secret, ceilings });
  const { granted, used } = await counters.reserve(use.counters);
  const reservation = { kind: granted ? 'granted' : 'exhausted', used: used[0] ?? 0 } as const;
  let held = granted;
  return {
    at,
    admission: admit(metered, reservation, at),
    async giveBack() {
      if (!held) return;
      held = false;
      try {
        await counters.giveBack(use.caller);
      } catch (fault) {
        held = true; // Still counted, so the caller may try again.
        throw fault;
      }
    },
  };
}

/** Gives the use back when the work fails. */
export async function orGiveBack<T>(use: ReservedUse, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    // The original fault matters more than a counter that could not be decremented.
    await use.giveBack().catch(() => {});
    throw fault;
  }
}
