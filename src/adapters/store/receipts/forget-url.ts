import type { Queries } from '../engine/tables.ts';
import { removeAll } from '../seller/remove-watches.ts';

/** Removes what is kept about a URL beside its receipts. A crawl under way keeps its work: its receipts are withdrawn later. */
export async function forgetUrl(queries: Queries, urlKey: string, receiptId: string): Promise<void> {
  await queries.deleteFrom('probe_cache').where('url_key', '=', urlKey).execute();
  const watches = await queries.selectFrom('watches').select('id').where('url_key', '=', urlKey).execute();
  await removeAll(
    queries,
    watches.map(({ id }) => id),
  );
  // The row stays: an older statement of the seller must not bring its reply back.
  await queries
    .updateTable('replies')
    .set({ note: null, signed: null })
    .where('url_key', '=', urlKey)
    .execute();
  // Under the key of its own spelling, which nobody knows any more.
  await queries.deleteFrom('retests').where('receipt_id', '=', receiptId).execute();
  for (const { run_id } of await finishedWork(queries).execute()) {
    for (const table of ['crawl_targets', 'crawl_listed'] as const) {
      await queries.deleteFrom(table).where('run_id', '=', run_id).where('url_key', '=', urlKey).execute();
    }
  }
}

/** Work that is left of published runs. */
function finishedWork(queries: Queries) {
  return queries
    .selectFrom('crawl_work')
    .innerJoin('crawl_runs', 'crawl_runs.id', 'crawl_work.run_id')
    .select('crawl_work.run_id')
    .where('crawl_runs.crawled_at', 'is not', null);
}
