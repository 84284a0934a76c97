import type { CrawlPosition } from '../../../core/receipt/crawl-run.ts';
import type { Queries } from '../engine/tables.ts';
import { indexInRun, type RowOfRun } from '../log/run-rows.ts';

export interface PublishedPlace extends RowOfRun {
  readonly urlKey: string;
  readonly body: string;
  /** From 0 in the published order of its run, those that were withdrawn since counted in. */
  readonly index: number;
}

/** A receipt of a published run with its place; null for any other id. */
export async function publishedPlace(queries: Queries, id: string): Promise<PublishedPlace | null> {
  const row = await queries
    .selectFrom('crawl_receipts')
    .innerJoin('crawl_runs', 'crawl_runs.id', 'crawl_receipts.run_id')
    .select(['crawl_receipts.run_id as runId', 'crawl_receipts.url', 'crawl_receipts.id'])
    .select(['crawl_receipts.url_key as urlKey', 'crawl_receipts.body'])
    .where('crawl_receipts.id', '=', id)
    .where('crawl_runs.crawled_at', 'is not', null)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, index: await indexInRun(queries, row) };
}

/** The row before this one in published order; null for the first. */
export async function previousRow(queries: Queries, row: RowOfRun): Promise<CrawlPosition | null> {
  const previous = await rowsBefore(queries, row)
    .select(['url', 'id'])
    .orderBy('url', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return previous ?? null;
}

function rowsBefore(queries: Queries, { runId, url, id }: RowOfRun) {
  return queries
    .selectFrom('crawl_receipts')
    .where('run_id', '=', runId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('url', 'id'), '<', tuple(url, id)));
}
