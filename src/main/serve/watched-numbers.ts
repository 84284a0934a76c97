import type { Server } from 'node:http';
import type { Store } from '../../adapters/store/store.ts';
import type { Watched } from '../../adapters/system/watched.ts';
import { decodeCrawlState } from '../../core/crawl/crawl-state.ts';
import { CRAWL_JOB } from '../../flows/crawl/lead-crawl.ts';

/** Limits the cost of one reading. */
const PAYMENTS_MOST = 1_000;

/** Gauges from the store and the server; each costs one indexed query. */
export function watchedNumbers(
  { health, jobs, runs, waiting }: Pick<Store, 'health' | 'jobs' | 'runs' | 'waiting'>,
  server: Pick<Server, 'getConnections'>,
  now: () => Date,
): Watched {
  return {
    storeWaiting: async () => waiting(),
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((fault, count) => (fault === null ? resolve(count) : reject(fault))),
      ),
    payments: () => health.payments(PAYMENTS_MOST),
    async crawlLeft() {
      const state = decodeCrawlState((await jobs.read(CRAWL_JOB))?.state ?? null);
      return state?.phase === 'probing' ? health.crawlLeft(state.runId) : { hosts: 0, urls: 0 };
    },
    async publishedRunAgeSeconds() {
      const run = await runs.latest();
      return run === null ? Number.NaN : (now().getTime() - run.crawledAt.getTime()) / 1_000;
    },
  };
}
