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
  number('assay_store_waiting', 'Calls waiting for a store connection or for a write.', watched.storeWaiting);
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
  number('assay_open_settlements', 'Settlements with an unknown outcome, at most a thousand.', () =>
    payments().then(({ settling = 0, unknown = 0 }) => settling + unknown),
  );
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
