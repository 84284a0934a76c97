import type { Counter } from '../../core/access/quota.ts';

export interface MinuteCounts {
  /** Raises all of these counters of one window if every one is below its limit, else none. */
  reserve(counters: readonly Counter[]): boolean;
}

/** More keys than the minutes of a few clients have. */
const KEYS_MAX = 100_000;

/** Counters of this process; those of a window are forgotten with the next one. */
export function createMinuteCounts(): MinuteCounts {
  const state = { window: '' };
  const counts = new Map<string, number>();
  return {
    reserve(counters) {
      const window = counters[0]?.window ?? state.window;
      if (window !== state.window) counts.clear();
      state.window = window;
      const isFree = ({ key, limit }: Counter) => {
        const count = counts.get(key);
        return count === undefined ? counts.size + counters.length <= KEYS_MAX : count < limit;
      };
      if (!counters.every(isFree)) return false;
      for (const { key } of counters) counts.set(key, (counts.get(key) ?? 0) + 1);
      return true;
    },
  };
}
