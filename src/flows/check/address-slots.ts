import { createKeyedSlots } from '../../core/concurrency/keyed-slots.ts';

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
