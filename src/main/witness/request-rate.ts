const ADDRESSES_MAX = 10_000;

export interface RequestRate {
  admits(address: string): boolean;
}

/** Requests of one address in each second. Beyond so many addresses, all further ones count as one. */
export function createRequestRate(stopwatch: () => number, perSecond: number): RequestRate {
  let second = Number.NEGATIVE_INFINITY;
  const counts = new Map<string, number>();
  return {
    admits(address) {
      const now = Math.floor(stopwatch() / 1_000);
      if (now !== second) counts.clear();
      second = now;
      const key = counts.has(address) || counts.size < ADDRESSES_MAX ? address : '';
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= perSecond;
    },
  };
}
