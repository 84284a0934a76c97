import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { FoundReceipt } from './read-receipts.ts';

/** Where the pages of the latest run show a receipt (gap G104): the page of skips that has its row, or nowhere. */
export type ShownPlace = number | 'no row' | 'older run';

export async function shownPlace(
  { kind, receipt }: FoundReceipt,
  latest: CrawlRun | null,
  runs: Pick<PublishedRuns, 'skipPage'>,
): Promise<ShownPlace> {
  if (kind === 'live') return 'no row';
  if (receipt.verdict === 'skip') return (await runs.skipPage(receipt.id)) ?? 'older run';
  // A run begins after the previous one is complete. Receipts of older releases do not name their run.
  const previous = latest?.previousRun ?? null;
  return previous !== null && receipt.checkedAt <= previous ? 'older run' : 'no row';
}
