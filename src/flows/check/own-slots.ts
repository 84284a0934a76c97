import { createKeyedSlots, type KeyedSlots } from '../../core/concurrency/keyed-slots.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { LocatingProber, Place } from '../../ports/prober.ts';
import type { RefusalParts } from './refused.ts';
import { type TargetBusy, targetBusy } from './start-probe.ts';
import type { Asker } from './target-budget.ts';
import { groupsOf, targetOf } from './target-keys.ts';

/** Slots for requests in flight to addresses, in this process. */
export interface AddressSlots {
  /** Takes a slot at each of these addresses and returns what frees them, or null when one address has none left. */
  take(addresses: readonly string[], by: string | null): (() => void) | null;
}

/**
 * An address carries many hosts, and some of them are slow on purpose: one caller takes at most a third of its slots, so that
 * nobody is shut out of all sellers on an address (gap G101).
 */
export function createAddressSlots(perAddress: number): AddressSlots {
  const ofAll = createKeyedSlots({ perKey: perAddress });
  const ofCaller = createKeyedSlots({ perKey: Math.max(1, Math.floor(perAddress / 3)) });
  return {
    take(addresses, by) {
      const taken: (() => void)[] = [];
      const release = () => {
        for (const giveBack of taken) giveBack();
      };
      for (const address of addresses) {
        const slots = [ofAll.take(address), ...(by === null ? [] : [ofCaller.take(`${address} ${by}`)])];
        taken.push(...slots.filter((slot) => slot !== null));
        if (slots.includes(null)) {
          release();
          return null;
        }
      }
      return release;
    },
  };
}

/** Slots of this process: without one the store is not asked. */
export interface OwnSlotPorts extends RefusalParts {
  readonly prober: Pick<LocatingProber, 'locate'>;
  /** By host and port. */
  readonly slots: KeyedSlots;
  readonly addressSlots: AddressSlots;
}

/** The name is resolved in a slot of its host; the work begins with one at each of its addresses, too. */
export async function inOwnSlots<Result>(
  target: TargetUrl,
  { by }: Asker,
  work: (place: Place) => Promise<Result>,
  ports: OwnSlotPorts,
): Promise<Result | TargetBusy> {
  const releaseHost = ports.slots.take(targetOf(target));
  if (releaseHost === null) return targetBusy(ports);
  try {
    const place = await ports.prober.locate(target);
    const releaseAddresses = ports.addressSlots.take(groupsOf(place), by);
    if (releaseAddresses === null) return targetBusy(ports);
    try {
      return await work(place);
    } finally {
      releaseAddresses();
    }
  } finally {
    releaseHost();
  }
}
