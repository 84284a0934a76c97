import { CRAWL_PAGE_SIZE } from '../../../core/limits.ts';
import type { CrawlListing, CrawlPosition, CrawlRun } from '../../../core/receipt/crawl-run.ts';
import { isStatement } from '../../../core/statement/read-statement.ts';
import type { PublishedRuns } from '../../../ports/crawl-runs.ts';
import type { Dialect } from '../engine/dialect.ts';
import { runPrepared } from '../engine/prepared.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import { type CrawlColumns, decodeCrawlReceipt, decodeCrawlRun } from './crawl-codec.ts';
import { runParts } from './run-parts.ts';
import { isPublished, skipViews } from './skip-views.ts';

/** A run is published once `crawled_at` is set; every query here requires it. */
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
    ...skipViews(database, dialect),
    ...runParts(database),
    latest: async () => (await newestRuns(database, 1))[0] ?? null,
    recent: (limit) => newestRuns(database, limit),
    async page(runId, listing, page) {
      const start = await startOf(database, { runId, listing, page });
      if (start === 'no such page') return [];
      const end = await startOf(database, { runId, listing, page: page + 1 });
      let query = inOrder(database, { runId, after: start, limit: CRAWL_PAGE_SIZE }).select([
        'body',
        'beside',
      ]);
      if (listing === 'skip') query = query.where('verdict', '=', 'skip');
      // After a withdrawal a page has fewer rows, and does not borrow from the next one.
      if (end !== null && end !== 'no such page') {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('crawl_receipts.url', 'crawl_receipts.id'), '<=', tuple(end.url, end.id)),
        );
      }
      const rows = await query.execute();
      return rows.map(decodeCrawlReceipt);
    },
    async byId(id) {
      const row = await receipts.where('crawl_receipts.id', '=', id).executeTakeFirst();
      return row === undefined ? null : decodeCrawlReceipt(row);
    },
    async skipPage(id) {
      const row = await database
        .selectFrom('crawl_receipts')
        .select(['run_id', 'url', 'id'])
        .where('id', '=', id)
        .where('verdict', '=', 'skip')
        .where('run_id', '=', latestRun(database).select('id'))
        .executeTakeFirst();
      return row === undefined ? null : pageWith(database, row);
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

/** The latest published run. */
export function latestRun(database: Queries) {
  return newestFirst(database).limit(1);
}

function newestFirst(database: Queries) {
  return database
    .selectFrom('crawl_runs')
    .where('crawled_at', 'is not', null)
    .orderBy('crawled_at', 'desc')
    .orderBy('id', 'desc');
}

async function newestRuns(database: Queries, limit: number): Promise<readonly CrawlRun[]> {
  const rows = await newestFirst(database).select('body').limit(limit).execute();
  return rows.flatMap(({ body }) => (body === null ? [] : decodeCrawlRun(body)));
}

interface Stretch {
  readonly runId: string;
  readonly after: CrawlPosition | null;
  readonly limit: number;
}

/** Rows of a run in published order, which is that of an index. */
export function inOrder(database: Queries, { runId, after, limit }: Stretch) {
  const query = database
    .selectFrom('crawl_receipts')
    .where('crawl_receipts.run_id', '=', runId)
    .orderBy('crawl_receipts.url')
    .orderBy('crawl_receipts.id')
    .limit(limit);
  if (after === null) return query;
  // A row comparison, so that both engines seek in the index.
  return query.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('crawl_receipts.url', 'crawl_receipts.id'), '>', tuple(after.url, after.id)),
  );
}

interface PageKey {
  readonly runId: string;
  readonly listing: CrawlListing;
  readonly page: number;
}

/** The last page of skips that starts before a row. */
async function pageWith(
  database: Queries,
  { run_id, url, id }: Pick<Tables['crawl_receipts'], 'run_id' | 'url' | 'id'>,
): Promise<number> {
  const start = await database
    .selectFrom('crawl_pages')
    .select('page')
    .where('run_id', '=', run_id)
    .where('listing', '=', 'skip')
    .where(({ eb, refTuple, tuple }) => eb(refTuple('after_url', 'after_id'), '<', tuple(url, id)))
    .orderBy('page', 'desc')
    .limit(1)
    .executeTakeFirst();
  return start?.page ?? 1;
}

/** The position after which a page starts; null for page 1. Positions are stored when a run is published. */
export async function startOf(
  database: Queries,
  { runId, listing, page }: PageKey,
): Promise<CrawlPosition | null | 'no such page'> {
  if (!Number.isSafeInteger(page)) return 'no such page';
  if (page === 1) return (await isPublished(database, runId)) ? null : 'no such page';
  const start = await database
    .selectFrom('crawl_pages')
    .select(['after_url as url', 'after_id as id'])
    .where('run_id', '=', runId)
    .where('listing', '=', listing)
    .where('page', '=', page)
    .executeTakeFirst();
  return start ?? 'no such page';
}
