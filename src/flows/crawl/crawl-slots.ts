import { signal } from '../../core/concurrency/signal.ts';
import { singleFlight } from '../../core/concurrency/single-flight.ts';
import { CRAWL_SLOTS_PER_TARGET } from '../../core/limits.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { SlotHolder } from '../../ports/target-slots.ts';
import type { ProbePorts } from './crawl-ports.ts';

export interface SlotLease {
  readonly leaseMs: number;
  /** A request begins only under a lease with this much left. */
  readonly leastLeaseMs: number;
  /** False when nothing more may begin at the host. May ask the store. */
  readonly mayBegin: () => Promise<boolean>;
}

type SlotPorts = Pick<ProbePorts, 'slots' | 'keyOf' | 'stopwatch' | 'wait'>;

export interface CrawlSlots {
  /** Waits for a slot at the host and port of a URL; null when nothing more may begin. */
  enter(target: TargetUrl): Promise<(() => void) | null>;
  freeAll(): Promise<void>;
}

/** Callers hold a slot for one probe only, so one is soon free. */
const RETRY_MS = 500;

/**
 * The crawl holds two of the three slots of a target as long as it has the host. Where callers hold more, it starts with fewer
 * and asks again. So a target costs two writes and one per renewal, instead of two per URL.
 */
export function crawlSlots(holder: string, lease: SlotLease, ports: SlotPorts): CrawlSlots {
  const targets = new Map<string, ReturnType<typeof slotsAt>>();
  return {
    enter({ host, port }) {
      const targetKey = ports.keyOf(`${host}:${port}`);
      const at = targets.get(targetKey) ?? slotsAt({ targetKey, holder }, lease, ports);
      targets.set(targetKey, at);
      return at.enter();
    },
    async freeAll() {
      for (const targetKey of targets.keys()) await ports.slots.free({ targetKey, holder });
    },
  };
}

function slotsAt(
  holder: SlotHolder,
  { leaseMs, leastLeaseMs, mayBegin }: SlotLease,
  { slots, stopwatch, wait }: SlotPorts,
) {
  const state = { held: 0, busy: 0, askedAt: Number.NEGATIVE_INFINITY };
  const left = signal();
  const holding = singleFlight<'hold', void>();
  const hold = () =>
    holding('hold', async () => {
      const askedAt = stopwatch();
      state.held = await slots.hold(holder, CRAWL_SLOTS_PER_TARGET, leaseMs);
      state.askedAt = askedAt;
    });
  const isShort = () => state.askedAt + leaseMs - stopwatch() <= leastLeaseMs;
  const mayAskForMore = () => state.held < CRAWL_SLOTS_PER_TARGET && stopwatch() - state.askedAt >= RETRY_MS;
  const leave = () => {
    state.busy -= 1;
    left.fire();
  };
  return {
    async enter(): Promise<(() => void) | null> {
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
