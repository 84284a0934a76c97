import type { CrawlRun } from '../../../core/receipt/crawl-run.ts';
import { isStatement } from '../../../core/statement/read-statement.ts';
import type { PublishedRuns } from '../../../ports/crawl-runs.ts';
import type { Dialect } from '../engine/dialect.ts';
import { runPrepared } from '../engine/prepared.ts';
import type { Queries } from '../engine/tables.ts';
import { type CrawlColumns, decodeCrawlReceipt, decodeCrawlRun } from './crawl-codec.ts';
import { runPages } from './run-pages.ts';
import { runParts } from './run-parts.ts';
import { newestFirst } from './run-queries.ts';
import { skipViews } from './skip-views.ts';

/** Every query here requires that the run is published. */
export function publishedRuns(database: Queries, dialect: Dialect): PublishedRuns {
  const receipts = database
    .selectFrom('crawl_receipts')
    .innerJoin('crawl_runs', 'crawl_runs.id', 'crawl_receipts.run_id')
    .select(['crawl_receipts.body', 'crawl_receipts.beside'])
    .where('crawl_runs.crawled_at', 'is not', null);
  // Every check reads it.
  const listed = dialect.statement<CrawlColumns>(
    'listed_in_latest_run',
    `select body, beside from crawl_receipts where url_key = ? and run_id =
      (select id from crawl_runs where crawled_at is not null order by crawled_at desc, id desc limit 1)`,
  );
  return {
    ...runPages(database),
    ...skipViews(database, dialect),
    ...runParts(database),
    latest: async () => (await newestRuns(database, 1))[0] ?? null,
    recent: (limit) => newestRuns(database, limit),
    async byId(id) {
      const row = await receipts.where('crawl_receipts.id', '=', id).executeTakeFirst();
      return row === undefined ? null : decodeCrawlReceipt(row);
    },
    async statement(id) {
      const row = await receipts.where('crawl_receipts.id', '=', id).executeTakeFirst();
      return row !== undefined && isStatement(row.body) ? row.body : null;
    },
    async byIds(ids) {
      if (ids.length === 0) return [];
      const rows = await receipts.where('crawl_receipts.id', 'in', ids).execute();
      return rows.map(decodeCrawlReceipt);
    },
    async inLatestRun(urlKey) {
      const [row] = (await database.executeQuery(listed([urlKey]))).rows;
      return row === undefined ? null : decodeCrawlReceipt(row);
    },
    async latestOf(urlKey, limit) {
      const query = receipts
        .where('crawl_receipts.url_key', '=', urlKey)
        .orderBy('crawl_runs.crawled_at', 'desc')
        .orderBy('crawl_runs.id', 'desc')
        .limit(limit);
      const { rows } = await runPrepared(database, 'runs_of_url', query);
      return rows.map(decodeCrawlReceipt);
    },
  };
}

async function newestRuns(database: Queries, limit: number): Promise<readonly CrawlRun[]> {
  const rows = await newestFirst(database).select('body').limit(limit).execute();
  return rows.flatMap(({ body }) => (body === null ? [] : decodeCrawlRun(body)));
}
