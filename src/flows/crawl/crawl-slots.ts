import { CRAWL_SLOTS_PER_TARGET, PROBES_IN_FLIGHT_PER_HOST } from '../../core/limits.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import { targetKeyOf } from '../check/target-keys.ts';
import { type HeldSlots, heldSlots, type LeaseTimes, type MayBegin, type SlotPorts } from './held-slots.ts';

export interface SlotLease extends LeaseTimes {
  readonly mayBegin: MayBegin;
}

export interface CrawlSlots {
  /** Waits for a slot at the host and port of a URL; null when nothing more may begin. */
  enter(target: TargetUrl): Promise<(() => void) | null>;
  freeAll(): Promise<void>;
}

const SHARE = { most: CRAWL_SLOTS_PER_TARGET, upTo: PROBES_IN_FLIGHT_PER_HOST };

/** The crawl holds two of the three slots of a target as long as it has the host. */
export function crawlSlots(holder: string, lease: SlotLease, ports: SlotPorts): CrawlSlots {
  const targets = new Map<string, HeldSlots>();
  return {
    enter(target) {
      const targetKey = targetKeyOf(target, ports.keyOf);
      const at = targets.get(targetKey) ?? heldSlots({ targetKey, holder }, SHARE, lease, ports);
      targets.set(targetKey, at);
      return at.enter(lease.mayBegin);
    },
    async freeAll() {
      for (const targetKey of targets.keys()) await ports.slots.free({ targetKey, holder });
    },
  };
}
