import { signal } from '../../core/concurrency/signal.ts';
import { singleFlight } from '../../core/concurrency/single-flight.ts';
import type { SlotHolder, SlotShare } from '../../ports/target-slots.ts';
import type { ProbePorts } from './crawl-ports.ts';

export interface LeaseTimes {
  readonly leaseMs: number;
  /** A request begins only under a lease with this much left. */
  readonly leastLeaseMs: number;
}

/** False when nothing more may begin at the host. May ask the store. */
export type MayBegin = () => Promise<boolean>;

export type SlotPorts = Pick<ProbePorts, 'slots' | 'keyOf' | 'stopwatch' | 'wait'>;

export interface HeldSlots {
  /** Waits for a slot; null when nothing more may begin. */
  enter(mayBegin: MayBegin): Promise<(() => void) | null>;
}

/** Callers hold a slot for one probe only, so one is soon free. */
const RETRY_MS = 500;

/**
 * Slots that the crawl holds as long as it works on a target. Where others hold more, it starts with fewer and asks again. So a
 * target costs two writes and one per renewal, instead of two per URL.
 */
export function heldSlots(
  holder: SlotHolder,
  share: SlotShare,
  { leaseMs, leastLeaseMs }: LeaseTimes,
  { slots, stopwatch, wait }: SlotPorts,
): HeldSlots {
  const state = { held: 0, busy: 0, askedAt: Number.NEGATIVE_INFINITY };
  const left = signal();
  const holding = singleFlight<'hold', void>();
  const hold = () =>
    holding('hold', async () => {
      const askedAt = stopwatch();
      state.held = await slots.hold(holder, share, leaseMs);
      state.askedAt = askedAt;
    });
  const isShort = () => state.askedAt + leaseMs - stopwatch() <= leastLeaseMs;
  const mayAskForMore = () => state.held < share.most && stopwatch() - state.askedAt >= RETRY_MS;
  const leave = () => {
    state.busy -= 1;
    left.fire();
  };
  return {
    async enter(mayBegin) {
      // No await between these tests and the use of the slot, so both leases are still long enough.
      while (await mayBegin()) {
        if (isShort()) await hold();
        else if (state.busy < state.held) {
          state.busy += 1;
          return leave;
        } else if (mayAskForMore()) await hold();
        else await (state.busy > 0 ? left.next() : wait(RETRY_MS));
      }
      return null;
    },
  };
}
