import { leaseEnd } from './engine/lease-clock.ts';
import type { Engine, Queries, Tables } from './engine/tables.ts';

/** For how long the crawl leaves a lane of a host to callers after one of them found none. */
const WANTED_MS = 60_000;

export type CrawledHost = Pick<
  Tables['crawl_hosts'],
  'run_id' | 'host' | 'owner' | 'lease_until' | 'lanes' | 'urls_left' | 'wanted_until'
>;

/** The host in the runs that are under way, held or not. Locked, so that nobody takes it for the crawl meanwhile. */
export function crawledHosts(queries: Queries, engine: Engine, host: string) {
  return queries
    .selectFrom('crawl_hosts')
    .select(['run_id', 'host', 'owner', 'lease_until', 'lanes', 'urls_left', 'wanted_until'])
    .where('run_id', 'in', (from) => from.selectFrom('crawl_work').select('run_id'))
    .where('host', '=', host)
    .where('urls_left', '>', 0)
    .orderBy('run_id')
    .$if(engine === 'postgres', (rows) => rows.forUpdate());
}

/** Not at every turn of somebody who waits: said once, it holds for a while. */
export async function markWanted(
  queries: Queries,
  engine: Engine,
  crawled: readonly CrawledHost[],
  now: number,
): Promise<void> {
  for (const { run_id, host, wanted_until } of crawled) {
    if (wanted_until > now + WANTED_MS / 2) continue;
    await queries
      .updateTable('crawl_hosts')
      .set({ wanted_until: leaseEnd(engine, WANTED_MS) })
      .where('run_id', '=', run_id)
      .where('host', '=', host)
      .execute();
  }
}

/** Holds that have run out end for good. */
export async function disown(queries: Queries, crawled: readonly CrawledHost[]): Promise<void> {
  for (const { run_id, host } of crawled) {
    await queries
      .updateTable('crawl_hosts')
      .set({ owner: null, lease_until: 0 })
      .where('run_id', '=', run_id)
      .where('host', '=', host)
      .execute();
  }
}
