/** Times of any number of requests in a fixed number of buckets; each is at most one part in 32 wide. */
export interface Histogram {
  add(micros: number): void;
  count(): number;
  max(): number;
  /** The upper end of the bucket in which this share of all times ends; 0 without any. */
  quantile(share: number): number;
  /** As if all of the other had been added here. */
  merge(other: Histogram): void;
  readonly buckets: Readonly<Float64Array>;
}

/** Below this, every microsecond has a bucket; above, every doubling has so many. */
const STEPS = 32;
const DOUBLINGS = 32;

export function createHistogram(): Histogram {
  const buckets = new Float64Array(STEPS * DOUBLINGS);
  const state = { count: 0, max: 0 };
  return {
    buckets,
    add(micros) {
      const time = Math.max(0, Math.round(micros));
      const at = bucketOf(time);
      buckets[at] = (buckets[at] ?? 0) + 1;
      state.count += 1;
      state.max = Math.max(state.max, time);
    },
    count: () => state.count,
    max: () => state.max,
    quantile(share) {
      const wanted = Math.max(1, Math.ceil(share * state.count));
      let seen = 0;
      for (const [at, count] of buckets.entries()) {
        seen += count;
        if (count > 0 && seen >= wanted) return Math.min(upperEnd(at), state.max);
      }
      return state.max;
    },
    merge(other) {
      for (const [at, count] of other.buckets.entries()) buckets[at] = (buckets[at] ?? 0) + count;
      state.count += other.count();
      state.max = Math.max(state.max, other.max());
    },
  };
}

function bucketOf(time: number): number {
  if (time < STEPS) return time;
  const doubling = Math.floor(Math.log2(time / STEPS));
  const within = Math.floor(time / 2 ** doubling) - STEPS;
  return Math.min(STEPS * (doubling + 1) + within, STEPS * DOUBLINGS - 1);
}

/** The largest time that belongs there. */
function upperEnd(at: number): number {
  if (at < STEPS) return at;
  const doubling = Math.floor(at / STEPS) - 1;
  return (STEPS + (at % STEPS) + 1) * 2 ** doubling - 1;
}
