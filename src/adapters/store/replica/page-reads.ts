import { LRUCache } from 'lru-cache';
import { DatabaseError } from 'pg';
import type { PageReads } from '../../../ports/crawl-runs.ts';
import type { ReadReplica } from './read-replica.ts';

type Read<Asked extends readonly unknown[], T> = (...asked: Asked) => Promise<T>;
type OfRun = readonly [runId: string, ...rest: readonly unknown[]];

/** Bounds what is remembered; pages show the last few runs. */
const RUNS_KNOWN = 100;

/**
 * What pages read, from the replica while it is current and from the primary otherwise. What somebody may have caused a moment
 * ago (one receipt, all of one URL, a place on a page) is always read from the primary.
 */
export function pageReads(primary: PageReads, replica: ReadReplica): PageReads {
  /** The replica, unless it fails. */
  const preferring =
    <Asked extends readonly unknown[], T>(there: Read<Asked, T>, here: Read<Asked, T>): Read<Asked, T> =>
    async (...asked) => {
      if (!replica.isCurrent()) return here(...asked);
      try {
        return await there(...asked);
      } catch (fault) {
        // It would take as long on the primary, which has other work.
        if (isTimeout(fault)) throw fault;
        replica.failed();
        return here(...asked);
      }
    };
  const isPublishedThere = askOnce(replica.isPublished);
  /** A run that the primary showed a moment ago may be missing on the replica, where it would look empty. */
  const ofRun =
    <Asked extends OfRun, T>(there: Read<Asked, T>, here: Read<Asked, T>): Read<Asked, T> =>
    async (...asked) => {
      const isThere = preferring(isPublishedThere, async () => false);
      return (await isThere(asked[0])) ? preferring(there, here)(...asked) : here(...asked);
    };
  const [there, here] = [replica.runs, primary.runs];
  return {
    runs: {
      ...here,
      latest: preferring(there.latest, here.latest),
      recent: preferring(there.recent, here.recent),
      countableRuns: preferring(there.countableRuns, here.countableRuns),
      page: ofRun(there.page, here.page),
      countSkips: ofRun(there.countSkips, here.countSkips),
      skips: ofRun(there.skips, here.skips),
      partRows: ofRun(there.partRows, here.partRows),
      countPart: ofRun(there.countPart, here.countPart),
      sharesOf: ofRun(there.sharesOf, here.sharesOf),
    },
    receipts: { page: preferring(replica.receipts.page, primary.receipts.page) },
  };
}

/** A run stays published, so it is asked for once. */
function askOnce(isPublished: ReadReplica['isPublished']): ReadReplica['isPublished'] {
  const known = new LRUCache<string, true>({ max: RUNS_KNOWN });
  return async (runId) => {
    if (known.has(runId)) return true;
    const isThere = await isPublished(runId);
    if (isThere) known.set(runId, true);
    return isThere;
  };
}

const QUERY_CANCELED = '57014';

function isTimeout(fault: unknown): boolean {
  return fault instanceof DatabaseError && fault.code === QUERY_CANCELED;
}
