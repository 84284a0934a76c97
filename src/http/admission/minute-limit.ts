import { type Networks, WIDE_FACTOR } from '../../core/access/networks.ts';

/** Requests of one network in one UTC minute, counted in this process (gap G102). */
export interface MinuteLimit {
  /** Counts a request; false when the minute of its network is used up. */
  take(networks: Networks, now: Date): boolean;
  /** Counts more, for an answer that cost as much as several; it may go beyond the limit. */
  add(networks: Networks, reads: number, now: Date): void;
  /** For what was counted and has other limits, such as a purchase. */
  giveBack(networks: Networks, now: Date): void;
}

/**
 * Beyond so many networks all are forgotten, and their minute begins again. Whoever has that many addresses gains nothing by
 * it: each of them has a minute of its own anyway.
 */
const NETWORKS_MAX = 50_000;
const MINUTE_MS = 60_000;

export function createMinuteLimit(perAddress: number, networksMax = NETWORKS_MAX): MinuteLimit {
  const state = { minute: 0, counts: new Map<string, number>() };
  const countsAt = (now: Date) => {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute !== state.minute || state.counts.size >= networksMax) {
      state.minute = minute;
      state.counts = new Map();
    }
    return state.counts;
  };
  const raise = (counts: Map<string, number>, network: string, by = 1) =>
    counts.set(network, (counts.get(network) ?? 0) + by);
  const lower = (counts: Map<string, number>, network: string) => {
    const count = counts.get(network) ?? 0;
    if (count > 0) counts.set(network, count - 1);
  };
  return {
    take({ prefix, wide }, now) {
      const counts = countsAt(now);
      if ((counts.get(prefix) ?? 0) >= perAddress) return false;
      if (wide !== null) {
        if ((counts.get(wide) ?? 0) >= perAddress * WIDE_FACTOR) return false;
        raise(counts, wide);
      }
      raise(counts, prefix);
      return true;
    },
    add({ prefix, wide }, reads, now) {
      const counts = countsAt(now);
      raise(counts, prefix, reads);
      if (wide !== null) raise(counts, wide, reads);
    },
    giveBack({ prefix, wide }, now) {
      const counts = countsAt(now);
      lower(counts, prefix);
      if (wide !== null) lower(counts, wide);
    },
  };
}
