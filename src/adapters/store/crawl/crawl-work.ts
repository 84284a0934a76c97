import { sql } from 'kysely';
import { inBatches } from '../../../core/concurrency/in-batches.ts';
import type { CrawlProgress, CrawlWork } from '../../../ports/crawl-work.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { decodeEndpoint } from './crawl-work-codec.ts';
import { forgetWork } from './crawl-work-forget.ts';
import { crawlHolds } from './crawl-work-holds.ts';
import { listBatch } from './crawl-work-list.ts';

/** Bounds the parameters of a statement, and how long other writers wait for a batch. */
const BATCH_ROWS = 500;
/** Not durable: a list that was not read to its end is read again. */
const REPEATABLE = { isRepeatable: true } as const;

export function sqlCrawlWork(database: Queries, writes: Writes, dialect: Dialect): CrawlWork {
  return {
    ...crawlHolds(writes, dialect),
    async list(runId, rows, urlKeys, rank) {
      if (rows.length !== urlKeys.length) throw new Error('every listed URL needs its key');
      const keyed = rows.flatMap((endpoint, index) => {
        const urlKey = urlKeys[index];
        return urlKey === undefined ? [] : [{ urlKey, endpoint }];
      });
      for (const batch of inBatches(keyed, BATCH_ROWS)) {
        await writes.unit((queries) => listBatch(queries, dialect, runId, batch, rank), REPEATABLE);
      }
    },
    async listed(runId, list, afterUrlKey, limit) {
      const rows = await database
        .selectFrom('crawl_listed')
        .select(({ selectFrom }) => [
          'url_key',
          // A scalar subquery per row: for a join PostgreSQL would read half of the run on every page.
          selectFrom('crawl_targets')
            .select('endpoint')
            .where('run_id', '=', runId)
            .whereRef('crawl_targets.url_key', '=', 'crawl_listed.url_key')
            .as('endpoint'),
        ])
        .where('run_id', '=', runId)
        .where('list', '=', list)
        // Every key is greater than the empty text.
        .where('url_key', '>', afterUrlKey ?? '')
        .orderBy('url_key')
        .limit(limit)
        .execute();
      return rows.flatMap(({ url_key, endpoint }) =>
        endpoint === null ? [] : [{ urlKey: url_key, endpoint: decodeEndpoint(endpoint) }],
      );
    },
    seal: (runId) =>
      writes.unit(async (queries) => {
        await queries
          .insertInto('crawl_work')
          .values({ run_id: runId, sealed: 1 })
          .onConflict((conflict) => conflict.column('run_id').doUpdateSet({ sealed: 1 }))
          .execute();
        // Without it PostgreSQL takes a new run for a small one, and sorts all of its hosts at every take.
        await dialect.refreshStatistics(queries, 'crawl_hosts');
        return progressOf(queries, runId);
      }),
    async left(runId, host, afterUrlKey, limit) {
      // Raw SQL, because it runs for every few rows. The partial index is used only for the literal `done = 0`.
      const { rows } = await sql<Pick<Tables['crawl_targets'], 'url_key' | 'endpoint'>>`
        select url_key, endpoint from crawl_targets
        where run_id = ${runId} and host = ${host} and url_key > ${afterUrlKey ?? ''} and done = 0
        order by url_key limit ${limit}`.execute(database);
      return rows.map(({ url_key, endpoint }) => ({ urlKey: url_key, endpoint: decodeEndpoint(endpoint) }));
    },
    progress: (runId) => progressOf(database, runId),
    forget: (runId, limit) => writes.unit((queries) => forgetWork(queries, dialect, runId, limit)),
  };
}

async function progressOf(queries: Queries, runId: string): Promise<CrawlProgress> {
  const { hosts, hosts_left, urls, urls_left } = await queries
    .selectFrom('crawl_hosts')
    .where('run_id', '=', runId)
    .select(({ cast, fn }) => [
      fn.countAll<number>().as('hosts'),
      fn.countAll<number>().filterWhere('urls_left', '>', 0).as('hosts_left'),
      // The sum of bigints is numeric in PostgreSQL, and arrives as text.
      cast<number | null>(fn.sum('urls'), 'bigint').as('urls'),
      cast<number | null>(fn.sum('urls_left'), 'bigint').as('urls_left'),
    ])
    .executeTakeFirstOrThrow();
  return { hosts, hostsLeft: hosts_left, urls: urls ?? 0, urlsLeft: urls_left ?? 0 };
}
