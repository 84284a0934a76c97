import { type Networks, WIDE_FACTOR } from '../../core/access/networks.ts';

/** Requests under way by network: so many of one address, ten times as many of one IPv6 /48 (gap G102). */
export interface UnderWay {
  /** False when the network has its share already; nothing is counted then. */
  enter(networks: Networks): boolean;
  leave(networks: Networks): void;
}

/** Holds a number for each network with a request under way, and for no other. */
export function createUnderWay(perAddress: number): UnderWay {
  const counts = new Map<string, number>();
  const raise = (network: string) => counts.set(network, (counts.get(network) ?? 0) + 1);
  const lower = (network: string) => {
    const left = (counts.get(network) ?? 1) - 1;
    if (left === 0) counts.delete(network);
    else counts.set(network, left);
  };
  return {
    enter({ prefix, wide }) {
      if ((counts.get(prefix) ?? 0) >= perAddress) return false;
      if (wide !== null) {
        if ((counts.get(wide) ?? 0) >= perAddress * WIDE_FACTOR) return false;
        raise(wide);
      }
      raise(prefix);
      return true;
    },
    leave({ prefix, wide }) {
      lower(prefix);
      if (wide !== null) lower(wide);
    },
  };
}
