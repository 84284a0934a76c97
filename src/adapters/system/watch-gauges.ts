import { Gauge, type Registry } from 'prom-client';
import { memoizeFor } from '../../core/concurrency/memoize-for.ts';

/** Numbers that are read when metrics are scraped. */
export interface Watched {
  /** Calls that wait for a connection to the store or for a write. */
  readonly storeWaiting: () => Promise<number>;
  /** How old the data of the read replica may be; NaN without one. */
  readonly replicaAgeSeconds: () => Promise<number>;
  readonly connections: () => Promise<number>;
  /** Payments by state, each up to a limit. */
  readonly payments: () => Promise<Readonly<Record<string, number>>>;
  /** URLs left in the current crawl run; 0 without one. */
  readonly crawlLeft: () => Promise<{ readonly hosts: number; readonly urls: number }>;
  /** NaN before the first run is published. */
  readonly publishedRunAgeSeconds: () => Promise<number>;
  /** Receipts of times that are weeks ahead, up to a limit. */
  readonly receiptsAhead: () => Promise<number>;
  /** Since the newest paid call of our own; NaN before the first. */
  readonly paidCallAgeSeconds: () => Promise<number>;
  readonly transparencyLog: () => Promise<WatchedLog>;
  /** The state of the log in this process, and all that there are. */
  readonly logState: () => string;
  readonly logStates: readonly string[];
  /** NaN before the first cosignature. */
  readonly witnessAges: () => ReadonlyMap<string, number>;
}

export interface WatchedLog {
  readonly size: number;
  readonly waiting: number;
  readonly oldestWaitingSeconds: number;
  /** How long clients have not got what has a place; 0 when they have everything. */
  readonly publishedAgeSeconds: number;
}

/** The store is read at most once in this time. */
const FRESH_MS = 1_000;

/** NaN for what cannot be read: without its store the other metrics still work. */
export function watchGauges(registry: Registry, watched: Watched, stopwatch: () => number): void {
  const number = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read().catch(() => Number.NaN));
      },
    });
  const payments = memoizeFor(watched.payments, FRESH_MS, stopwatch);
  const crawlLeft = memoizeFor(watched.crawlLeft, FRESH_MS, stopwatch);
  number('assay_store_waiting', 'Calls waiting for a store connection or for a write.', watched.storeWaiting);
  number(
    'assay_read_replica_age_seconds',
    'How old the data of the read replica may be; NaN without DATABASE_READ_URL.',
    memoizeFor(watched.replicaAgeSeconds, FRESH_MS, stopwatch),
  );
  number('assay_http_connections', 'Open connections of callers.', watched.connections);
  number('assay_crawl_hosts_left', 'Hosts left in the current crawl.', () =>
    crawlLeft().then(({ hosts }) => hosts),
  );
  number('assay_crawl_urls_left', 'URLs left in the current crawl.', () =>
    crawlLeft().then(({ urls }) => urls),
  );
  number(
    'assay_published_run_age_seconds',
    'Age of the published crawl.',
    memoizeFor(watched.publishedRunAgeSeconds, FRESH_MS, stopwatch),
  );
  number(
    'assay_paid_call_age_seconds',
    'Age of our newest paid call.',
    memoizeFor(watched.paidCallAgeSeconds, FRESH_MS, stopwatch),
  );
  number('assay_open_settlements', 'Settlements with an unknown outcome, at most a thousand.', () =>
    payments().then(({ settling = 0, unknown = 0 }) => settling + unknown),
  );
  number(
    'assay_receipts_ahead',
    'Receipts of times that are weeks ahead, at most a thousand: some clock is wrong.',
    memoizeFor(watched.receiptsAhead, FRESH_MS, stopwatch),
  );
  watchLog(registry, watched, number, stopwatch);
  new Gauge({
    name: 'assay_payments',
    help: 'Payments by state, at most a thousand each; settled ones as long as their answer is kept.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [state, count] of Object.entries(await payments().catch(() => ({})))) {
        this.set({ state }, count);
      }
    },
  });
}

function watchLog(
  registry: Registry,
  { transparencyLog, logState, logStates, witnessAges }: Watched,
  number: (name: string, help: string, read: () => Promise<number>) => void,
  stopwatch: () => number,
): void {
  const log = memoizeFor(transparencyLog, FRESH_MS, stopwatch);
  number('assay_log_size', 'Entries with a place in the transparency log.', () =>
    log().then(({ size }) => size),
  );
  number('assay_log_waiting', 'Entries waiting for a place in the transparency log.', () =>
    log().then(({ waiting }) => waiting),
  );
  number('assay_log_oldest_waiting_seconds', 'Age of the oldest entry waiting for a place.', () =>
    log().then(({ oldestWaitingSeconds }) => oldestWaitingSeconds),
  );
  number(
    'assay_log_published_age_seconds',
    'How long the published checkpoint has been behind the log; 0 when it covers everything.',
    () => log().then(({ publishedAgeSeconds }) => publishedAgeSeconds),
  );
  new Gauge({
    name: 'assay_log_state',
    help: 'The state of the transparency log in this process: 1 for the current one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of logStates) this.set({ state }, state === logState() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'assay_log_witness_age_seconds',
    help: 'Time since the last cosignature of a witness.',
    labelNames: ['witness'],
    registers: [registry],
    collect() {
      for (const [witness, seconds] of witnessAges()) this.set({ witness }, seconds);
    },
  });
}
