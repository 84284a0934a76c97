import type { PublishedRuns, SkipCount, SkipQuery } from '../ports/crawl-runs.ts';
import { boundedCache } from './bounded-cache.ts';

/** Counts of filtered views. A run never changes, so a count is made once. */
export interface ViewCounts {
  /** Null when too many wait for a count already. */
  of(runId: string, wanted: SkipQuery): Promise<SkipCount> | null;
}

/** A count may read every skip of a run: one at a time, and beyond `WAITING_MAX` in line nobody else waits (gap L51). */
export function createViewCounts(runs: Pick<PublishedRuns, 'countSkips'>): ViewCounts {
  const known = boundedCache<SkipCount>(KEPT);
  const waiting = new Map<string, Promise<SkipCount>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    of(runId, wanted) {
      const key = JSON.stringify([runId, wanted.filter]);
      const counted = known.get(key);
      if (counted !== undefined) return Promise.resolve(counted);
      const underWay = waiting.get(key);
      if (underWay !== undefined) return underWay;
      if (waiting.size >= WAITING_MAX) return null;
      const counting = last.then(() => runs.countSkips(runId, wanted));
      waiting.set(key, counting);
      // Whatever becomes of it, the next one has its turn; a failure is not remembered.
      last = counting
        .then(
          (count) => known.set(key, count),
          () => undefined,
        )
        .finally(() => waiting.delete(key));
      return counting;
    },
  };
}

/** No more than filtered pages are kept: whoever goes round among more of them has to stand in line. */
const KEPT = 50;
const WAITING_MAX = 16;
