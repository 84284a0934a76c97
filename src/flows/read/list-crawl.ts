import { CRAWL_PAGE_SIZE } from '../../core/limits.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlListing, CrawlRun } from '../../core/receipt/crawl-run.ts';
import { pageCount } from '../../core/receipt/crawl-summary.ts';
import { countedBefore, leadOf, type SkipFilter } from '../../core/receipt/skip-filter.ts';
import type { PublishedRuns, SkipCount, SkipQuery } from '../../ports/crawl-runs.ts';
import { type CorrectedPorts, rightVerdicts } from './corrected-receipts.ts';

export interface CrawlPage {
  /** Null until the first run is published. */
  readonly run: CrawlRun | null;
  readonly page: number;
  readonly pages: number;
  readonly receipts: readonly CrawlReceipt[];
  /** Null without a filter, in the order of the run. */
  readonly view: SkipView | null;
}

export interface SkipView {
  readonly filter: SkipFilter;
  readonly matches: number;
}

/** The number of pages; one, and empty, before the first run. */
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
  const receipts = run === null ? [] : await runs.page(run.id, listing, page);
  return { run, page, pages, receipts, view: null };
}

/** Null when too many counts are queued. */
export type CountSkips = (runId: string, wanted: SkipQuery) => Promise<SkipCount> | null;

/** One page of the skips that pass a filter; null when there is no such page. */
export async function listSkips(
  run: CrawlRun | null,
  { filter, page }: { readonly filter: SkipFilter; readonly page: number },
  runs: Pick<PublishedRuns, 'skips'>,
  countSkips: CountSkips,
): Promise<CrawlPage | 'busy' | null> {
  if (run === null) {
    return page > 1 ? null : { run, page, pages: 1, receipts: [], view: { filter, matches: 0 } };
  }
  const { facets } = run.summary;
  const wanted = { filter, lead: leadOf(filter, facets) };
  const counted = page === 1 ? countedBefore(filter, facets) : null;
  const count = counted === null ? await countSkips(run.id, wanted) : { matches: counted, starts: [] };
  if (count === null) return 'busy';
  const { matches, starts } = count;
  const pages = pageCount(matches);
  if (page > pages) return null;
  // Never more rows than match: searching for another one would scan to the end of the run.
  const limit = Math.min(CRAWL_PAGE_SIZE, matches - (page - 1) * CRAWL_PAGE_SIZE);
  const after = starts[page - 2] ?? null;
  const receipts = limit === 0 ? [] : await runs.skips(run.id, wanted, { after, limit });
  return { run, page, pages, receipts, view: { filter, matches } };
}

export interface NewestSkipsPorts extends CorrectedPorts {
  readonly runs: Pick<PublishedRuns, 'byIds'>;
}

/** The most recent new skips of a run, newest first, without verdicts that we corrected. */
export async function newestSkips(
  run: CrawlRun | null,
  { runs, corrections }: NewestSkipsPorts,
): Promise<readonly CrawlReceipt[]> {
  const corrected = await rightVerdicts({ corrections });
  const ids = (run?.summary.facets?.newestSkips ?? []).filter((id) => !corrected.has(id));
  const found = new Map((await runs.byIds(ids)).map((receipt) => [receipt.id, receipt]));
  return ids.flatMap((id) => found.get(id) ?? []);
}
