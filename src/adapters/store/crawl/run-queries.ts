import type { CrawlPosition } from '../../../core/receipt/crawl-run.ts';
import type { Queries } from '../engine/tables.ts';

/** The latest published run. */
export function latestRun(database: Queries) {
  return newestFirst(database).limit(1);
}

/** A run is published once `crawled_at` is set. */
export function newestFirst(database: Queries) {
  return database
    .selectFrom('crawl_runs')
    .where('crawled_at', 'is not', null)
    .orderBy('crawled_at', 'desc')
    .orderBy('id', 'desc');
}

export async function isPublished(database: Queries, runId: string): Promise<boolean> {
  const run = await database
    .selectFrom('crawl_runs')
    .select('crawled_at')
    .where('id', '=', runId)
    .executeTakeFirst();
  return run !== undefined && run.crawled_at !== null;
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
