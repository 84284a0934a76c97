import { type Admission, admit } from '../core/access/admission.ts';
import type { Caller } from '../core/access/caller-key.ts';
import { type AddressCeilings, freeUse, type Metered } from '../core/access/quota.ts';
import type { CounterStore } from '../ports/counter-store.ts';

/** Who asks, and for what. */
export interface Admittance {
  readonly metered: Metered;
  readonly caller: Caller;
  readonly ref: string | null;
  readonly selfTest: boolean;
}

export interface AdmitParts {
  readonly counters: CounterStore;
  readonly secret: string;
  readonly ceilings: AddressCeilings;
  readonly now: () => Date;
}

export interface Admitted {
  readonly admission: Admission;
  /** The moment of it, for all that is said about it. */
  readonly at: Date;
  /** Undoes the use of the caller, not of the address (gap G06). It does nothing where no use was counted, or twice. */
  giveBack(): Promise<void>;
}

export type Admit = (admittance: Admittance) => Promise<Admitted>;

/** Reserves a free use before any work is done for it (gap G06). */
export function createAdmit({ counters, secret, ceilings, now }: AdmitParts): Admit {
  return async ({ metered, caller, ref, selfTest }) => {
    const at = now();
    if (selfTest) return { at, admission: admit(metered, { kind: 'exempt' }, at), giveBack: async () => {} };
    const use = freeUse({ metered, caller, ref, now: at }, { secret, ceilings });
    const { granted, used } = await counters.reserve([use.caller, use.address]);
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
          held = true; // Still counted: whoever catches this may try once more.
          throw fault;
        }
      },
    };
  };
}
