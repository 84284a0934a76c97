import { LRUCache } from 'lru-cache';
import type { Networks } from '../../core/access/networks.ts';
import { serialQueue } from '../../core/concurrency/serial-queue.ts';
import type { CountSkips } from '../../flows/read/list-crawl.ts';
import type { PublishedRuns, SkipCount } from '../../ports/crawl-runs.ts';
import { createUnderWay } from '../admission/under-way.ts';

/** For a caller in these networks. */
export type ViewCounts = (networks: Networks) => CountSkips;

/**
 * Counts of filtered views. A run never changes, so each count is made once. A count may read every skip of a run, so they run
 * one at a time from a bounded queue, in which an address has one (gap L51).
 */
export function createViewCounts(runs: Pick<PublishedRuns, 'countSkips'>): ViewCounts {
  const waiting = createUnderWay(1);
  const counts = new LRUCache<string, Promise<SkipCount>>({ max: KEPT });
  const inTurn = serialQueue();
  let queued = 0;
  return (networks) => (runId, wanted) => {
    const key = JSON.stringify([runId, wanted.filter]);
    const known = counts.get(key);
    if (known !== undefined) return known;
    if (queued >= QUEUED_MAX || !waiting.enter(networks)) return null;
    queued += 1;
    const counting = inTurn(() => runs.countSkips(runId, wanted)).finally(() => {
      queued -= 1;
      waiting.leave(networks);
    });
    counts.set(key, counting);
    // A failure is not kept.
    counting.catch(() => counts.delete(key));
    return counting;
  };
}

const KEPT = 50;
const QUEUED_MAX = 16;
