import { CRAWL_PAGE_SIZE } from '../core/limits.ts';
import type { CrawlListing, CrawlPosition, CrawlRun } from '../core/receipt/crawl-run.ts';
import { startSummary } from '../core/receipt/crawl-summary.ts';
import type { CrawlRunStore } from '../ports/crawl-runs.ts';

const STEP = 1_000;

/** Counts a finished run and makes it visible whole, in one step (gap G70). */
export async function publishRun(
  run: Pick<CrawlRun, 'id' | 'crawledAt' | 'sources'>,
  runs: CrawlRunStore,
): Promise<CrawlRun> {
  const summary = startSummary();
  const pages = { all: pageStarts(), skip: pageStarts() };
  for (let after: CrawlPosition | null = null; ; ) {
    const rows = await runs.rows(run.id, after, STEP);
    for (const row of rows) {
      summary.add(row);
      pages.all.pass(row.receipt);
      if (row.receipt.verdict === 'skip') pages.skip.pass(row.receipt);
    }
    const last = rows.at(-1)?.receipt;
    if (last === undefined) break;
    after = { url: last.url, id: last.id };
  }
  const previous = await runs.latest();
  const published = { ...run, previousRun: previous?.crawledAt ?? null, summary: summary.total() };
  const starts: Record<CrawlListing, readonly CrawlPosition[]> = {
    all: pages.all.positions,
    skip: pages.skip.positions,
  };
  await runs.publish(published, starts);
  return published;
}

/** The last row of every full page: the next page starts behind it. */
function pageStarts() {
  const positions: CrawlPosition[] = [];
  let last: CrawlPosition | null = null;
  let rows = 0;
  return {
    positions,
    pass({ url, id }: CrawlPosition) {
      // Only a row behind a full page makes another page.
      if (rows > 0 && rows % CRAWL_PAGE_SIZE === 0 && last !== null) positions.push(last);
      last = { url, id };
      rows += 1;
    },
  };
}
