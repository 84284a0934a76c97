import { createKeyedSlots } from '../../core/concurrency/keyed-slots.ts';

/** Places for requests under way to addresses, in this process. */
export interface AddressSlots {
  /** Takes a place at each of these addresses and returns what gives them back, or null when one has none left. */
  take(addresses: readonly string[], by: string | null): (() => void) | null;
}

/**
 * An address carries many hosts, and some of them are slow on purpose: one caller takes at most a third of its places, so that
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
        const places = [ofAll.take(address), ...(by === null ? [] : [ofCaller.take(`${address} ${by}`)])];
        taken.push(...places.filter((place) => place !== null));
        if (places.includes(null)) {
          release();
          return null;
        }
      }
      return release;
    },
  };
}
