import { CRAWL_SLOTS_PER_ADDRESS } from '../../core/limits.ts';
import type { Place } from '../../ports/prober.ts';
import type { SlotHolder } from '../../ports/target-slots.ts';
import { addressKeysOf } from '../check/target-keys.ts';
import { type HeldSlots, heldSlots, type LeaseTimes, type MayBegin, type SlotPorts } from './held-slots.ts';

/** The addresses at which one worker probes: hosts on the same address share its slots (gap G101). */
export interface CrawlAddresses {
  /** For one host, until it is closed. */
  open(): HostAddresses;
}

export interface HostAddresses {
  /** Waits for a slot at every address of a place; null when nothing more may begin. */
  enter(place: Place, mayBegin: MayBegin): Promise<(() => void) | null>;
  close(): Promise<void>;
}

const SHARE = { most: CRAWL_SLOTS_PER_ADDRESS.ofOneWorker, upTo: CRAWL_SLOTS_PER_ADDRESS.ofAllWorkers };

interface UsedAddress {
  readonly holder: SlotHolder;
  readonly slots: HeldSlots;
  hosts: number;
}

export function crawlAddresses(owner: string, lease: LeaseTimes, ports: SlotPorts): CrawlAddresses {
  const used = new Map<string, UsedAddress>();
  const opened = { last: 0 };
  const join = (addressKey: string): UsedAddress => {
    const known = used.get(addressKey);
    if (known !== undefined) return known;
    opened.last += 1;
    // A name of its own: what was freed a moment ago must not take these slots along.
    const holder = { targetKey: addressKey, holder: `${owner} ${opened.last}` };
    const address = { holder, slots: heldSlots(holder, SHARE, lease, ports), hosts: 0 };
    used.set(addressKey, address);
    return address;
  };
  return {
    open() {
      const mine = new Map<string, UsedAddress>();
      const at = (addressKey: string): HeldSlots => {
        const address = mine.get(addressKey) ?? join(addressKey);
        if (!mine.has(addressKey)) address.hosts += 1;
        mine.set(addressKey, address);
        return address.slots;
      };
      return {
        enter: (place, mayBegin) => enterAll(inOneOrder(place, ports).map(at), mayBegin),
        async close() {
          for (const [addressKey, address] of mine) {
            address.hosts -= 1;
            if (address.hosts > 0) continue;
            used.delete(addressKey);
            await ports.slots.free(address.holder);
          }
        },
      };
    },
  };
}

/** The same for all, so that two hosts with the same addresses never wait for each other. */
function inOneOrder(place: Place, { keyOf }: Pick<SlotPorts, 'keyOf'>): readonly string[] {
  return addressKeysOf(place, keyOf).toSorted();
}

async function enterAll(slots: readonly HeldSlots[], mayBegin: MayBegin): Promise<(() => void) | null> {
  const taken: (() => void)[] = [];
  const leaveAll = () => {
    for (const leave of taken) leave();
  };
  for (const at of slots) {
    const leave = await at.enter(mayBegin);
    if (leave === null) {
      leaveAll();
      return null;
    }
    taken.push(leave);
  }
  return leaveAll;
}
