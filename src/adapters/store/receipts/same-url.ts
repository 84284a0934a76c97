import { receiptKind } from '../../../core/receipt/receipt-id.ts';
import type { SameUrl } from '../../../ports/log/withdrawals.ts';
import type { Queries } from '../engine/tables.ts';

/** What else there is about the URL of a receipt. */
export async function sameUrl(queries: Queries, id: string, limit: number): Promise<SameUrl | null> {
  const table = receiptKind(id) === 'live' ? 'live_receipts' : 'crawl_receipts';
  const row = await queries.selectFrom(table).select('url_key').where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const urlKey = row.url_key;
  const live = await queries
    .selectFrom('live_receipts')
    .select('id')
    .where('mode', 'in', ['live', 'dry-run'])
    .where('url_key', '=', urlKey)
    .where('id', '<>', id)
    .limit(limit)
    .execute();
  const crawled = await crawlReceipts(queries, urlKey)
    .where('crawl_runs.crawled_at', 'is not', null)
    .where('crawl_receipts.id', '<>', id)
    .limit(limit)
    .execute();
  const ids = [...crawled, ...live].map((other) => other.id);
  return { ids: ids.slice(0, limit), isBeingCrawled: await isBeingCrawled(queries, urlKey) };
}

function crawlReceipts(queries: Queries, urlKey: string) {
  return queries
    .selectFrom('crawl_receipts')
    .innerJoin('crawl_runs', 'crawl_runs.id', 'crawl_receipts.run_id')
    .select('crawl_receipts.id')
    .where('crawl_receipts.url_key', '=', urlKey);
}

/** Probed already by a run that is not published, or to be probed by it. */
async function isBeingCrawled(queries: Queries, urlKey: string): Promise<boolean> {
  const probed = await crawlReceipts(queries, urlKey)
    .where('crawl_runs.crawled_at', 'is', null)
    .limit(1)
    .execute();
  if (probed.length > 0) return true;
  const underWay = await queries
    .selectFrom('crawl_work')
    .leftJoin('crawl_runs', 'crawl_runs.id', 'crawl_work.run_id')
    .select('crawl_work.run_id')
    .where('crawl_runs.crawled_at', 'is', null)
    .execute();
  for (const { run_id } of underWay) {
    const listed = await queries
      .selectFrom('crawl_targets')
      .select('url_key')
      .where('run_id', '=', run_id)
      .where('url_key', '=', urlKey)
      .executeTakeFirst();
    if (listed !== undefined) return true;
  }
  return false;
}
