import type { CrawlReceipt } from './crawl-receipt.ts';
import type { CrawlSummary } from './crawl-summary.ts';

/** A published run of the weekly crawl: what everybody sees until the next one takes its place (gap G70). */
export interface CrawlRun {
  readonly id: string;
  readonly crawledAt: Date;
  /** When the run before it was made; null for the first one (gap G73). */
  readonly previousRun: Date | null;
  readonly summary: CrawlSummary;
  readonly sources: ReadonlyMap<string, ListSource>;
}

/** How reading one discovery list went. */
export interface ListSource {
  readonly ok: boolean;
  readonly items: number | null;
  /** Not read on purpose, such as a list that is itself paid. */
  readonly skipped: boolean;
  readonly note: string;
}

/** The two listings of a run: all receipts, or the ones to skip. */
export type CrawlListing = 'all' | 'skip';

/** Rows are published in the order of their URLs; the id decides between URLs that redaction made equal. */
export type CrawlPosition = Pick<CrawlReceipt, 'url' | 'id'>;
