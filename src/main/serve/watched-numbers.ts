import type { Server } from 'node:http';
import type { Store } from '../../adapters/store/store.ts';
import type { Watched, WatchedLog } from '../../adapters/system/watch-gauges.ts';
import { decodeCrawlState } from '../../core/crawl/crawl-state.ts';
import { CRAWL_JOB } from '../../flows/crawl/lead-crawl.ts';
import { LOG_STATES } from '../../flows/log/log-state.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';
import type { Runtime } from '../build/build-app.ts';
import type { OpenedPageReads } from '../build/open-store.ts';

/** Limits the cost of one reading. */
const PAYMENTS_MOST = 1_000;
const AHEAD_MOST = 1_000;

/** Gauges from the store and the server; each costs one indexed query. */
export function watchedNumbers(
  store: Pick<
    Store,
    'health' | 'jobs' | 'runs' | 'paidCalls' | 'receiptWeeks' | 'waiting' | 'transparencyLog'
  >,
  server: Pick<Server, 'getConnections'>,
  {
    now,
    index,
    logKeeper,
    witnessAges = () => new Map(),
    replica = null,
  }: Pick<Runtime, 'now' | 'index' | 'logKeeper' | 'witnessAges'> & Partial<Pick<OpenedPageReads, 'replica'>>,
): Watched {
  const { health, jobs, runs, paidCalls, waiting } = store;
  return {
    transparencyLog: createLogNumbers(store.transparencyLog, now),
    logState: logKeeper.state,
    logStates: LOG_STATES,
    witnessAges,
    storeWaiting: async () => waiting(),
    async replicaAgeSeconds() {
      await replica?.look();
      return replica === null ? Number.NaN : replica.ageMs() / 1_000;
    },
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((fault, count) => (fault === null ? resolve(count) : reject(fault))),
      ),
    payments: () => health.payments(PAYMENTS_MOST),
    receiptsAhead: () => store.receiptWeeks.ahead(AHEAD_MOST),
    async crawlLeft() {
      const state = decodeCrawlState((await jobs.read(CRAWL_JOB))?.state ?? null);
      return state?.phase === 'probing' ? health.crawlLeft(state.runId) : { hosts: 0, urls: 0 };
    },
    async publishedRunAgeSeconds() {
      const run = await runs.latest();
      return run === null ? Number.NaN : (now().getTime() - run.crawledAt.getTime()) / 1_000;
    },
    async paidCallAgeSeconds() {
      const calls = await paidCalls.callsOf([...index.byId.keys()], 1);
      const newest = Math.max(...[...calls.values()].flat().map(({ calledAt }) => calledAt.getTime()));
      return Number.isFinite(newest) ? (now().getTime() - newest) / 1_000 : Number.NaN;
    },
  };
}

/** A published checkpoint is as old as its last change while it does not cover everything. */
function createLogNumbers(
  log: Pick<LogReader, 'current' | 'backlog'>,
  now: () => Date,
): () => Promise<WatchedLog> {
  const published = { size: -1, at: now().getTime() };
  return async () => {
    const [head, backlog] = await Promise.all([log.current(), log.backlog()]);
    const size = head?.size ?? 0;
    const shown = head?.published?.size ?? 0;
    if (shown !== published.size || shown === size)
      Object.assign(published, { size: shown, at: now().getTime() });
    return {
      size,
      waiting: backlog.entries,
      oldestWaitingSeconds: (backlog.oldestMs ?? 0) / 1_000,
      publishedAgeSeconds: (now().getTime() - published.at) / 1_000,
    };
  };
}
