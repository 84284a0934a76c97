import type { CrawlReceipt } from '../core/receipt/crawl-receipt.ts';
import type { CrawlListing, CrawlRun } from '../core/receipt/crawl-run.ts';
import type { PublishedRuns } from '../ports/crawl-runs.ts';

export interface CrawlPage {
  /** Null until the first run is published. */
  readonly run: CrawlRun | null;
  readonly page: number;
  readonly pages: number;
  readonly receipts: readonly CrawlReceipt[];
}

/** How many pages a listing has; before the first run there is one, and it is empty. */
export function pagesOf(run: CrawlRun | null, listing: CrawlListing): number {
  if (run === null) return 1;
  return listing === 'skip' ? run.summary.skipPages : run.summary.receiptPages;
}

/** One page of a published run; null when the run has no such page. */
export async function listCrawl(
  run: CrawlRun | null,
  { listing, page }: { readonly listing: CrawlListing; readonly page: number },
  runs: Pick<PublishedRuns, 'page'>,
): Promise<CrawlPage | null> {
  const pages = pagesOf(run, listing);
  if (page > pages) return null;
  return { run, page, pages, receipts: run === null ? [] : await runs.page(run.id, listing, page) };
}
