import { CRAWL_PAGE_SIZE } from '../../../core/limits.ts';
import type { CrawlListing, CrawlPosition } from '../../../core/receipt/crawl-run.ts';
import type { PublishedRuns } from '../../../ports/crawl-runs.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import { decodeCrawlReceipt } from './crawl-codec.ts';
import { inOrder, isPublished, latestRun } from './run-queries.ts';

/** Published runs page by page. Where a page starts is stored when its run is published. */
export function runPages(database: Queries): Pick<PublishedRuns, 'page' | 'skipPage'> {
  return {
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
  };
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

/** The position after which a page starts; null for page 1. */
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
