import type { CrawlReceipt } from './crawl-receipt.ts';
import type { CrawlSummary } from './crawl-summary.ts';

/** A published run of the weekly crawl, shown until the next one replaces it (gap G70). */
export interface CrawlRun {
  readonly id: string;
  readonly crawledAt: Date;
  /** The time of the previous run; null for the first one (gap G73). */
  readonly previousRun: Date | null;
  readonly summary: CrawlSummary;
  readonly sources: ReadonlyMap<string, ListSource>;
}

/** The result of reading one discovery list. */
export interface ListSource {
  readonly ok: boolean;
  readonly items: number | null;
  /** Not read on purpose, such as a list that is itself paid. */
  readonly skipped: boolean;
  readonly note: string;
  /** The hash of the list as it was read, in hex; left out when it was not read to an end, and in older runs. */
  readonly sha256?: string;
}

/** The two listings of a run: all receipts, or the ones to skip. */
export type CrawlListing = 'all' | 'skip';

/** Rows are published in the order of their URLs; the id breaks ties between URLs that redaction made equal. */
export type CrawlPosition = Pick<CrawlReceipt, 'url' | 'id'>;
