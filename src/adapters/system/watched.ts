import { Gauge, type Registry } from 'prom-client';
import { memoizeFor } from '../../core/concurrency/memoize-for.ts';

/** Numbers that are read when metrics are scraped. */
export interface Watched {
  /** Calls that wait for a connection to the store or for a write. */
  readonly storeWaiting: () => Promise<number>;
  readonly connections: () => Promise<number>;
  /** Payments by state, each up to a limit. */
  readonly payments: () => Promise<Readonly<Record<string, number>>>;
  /** URLs left in the current crawl run; 0 without one. */
  readonly crawlLeft: () => Promise<{ readonly hosts: number; readonly urls: number }>;
  /** NaN before the first run is published. */
  readonly publishedRunAgeSeconds: () => Promise<number>;
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
  number(
    'assay_store_waiting',
    'Calls that wait for a connection to the store, or for their turn.',
    watched.storeWaiting,
  );
  number('assay_http_connections', 'Connections of callers.', watched.connections);
  number('assay_crawl_hosts_left', 'Hosts with URLs that the crawl under way has not checked yet.', () =>
    crawlLeft().then(({ hosts }) => hosts),
  );
  number('assay_crawl_urls_left', 'URLs that the crawl under way has not checked yet.', () =>
    crawlLeft().then(({ urls }) => urls),
  );
  number(
    'assay_published_run_age_seconds',
    'Time since the crawl that is shown was published.',
    memoizeFor(watched.publishedRunAgeSeconds, FRESH_MS, stopwatch),
  );
  number(
    'assay_open_settlements',
    'Payments of which nobody knows yet whether they went through, a thousand at most.',
    () => payments().then(({ settling = 0, unknown = 0 }) => settling + unknown),
  );
  new Gauge({
    name: 'assay_payments',
    help: 'Payments in the ledger by state, a thousand at most; settled ones while their answer is kept.',
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
