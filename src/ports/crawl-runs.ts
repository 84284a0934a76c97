import type { CrawlReceipt } from '../core/receipt/crawl-receipt.ts';
import type { CrawlListing, CrawlPosition, CrawlRun } from '../core/receipt/crawl-run.ts';
import type { SummaryRow } from '../core/receipt/crawl-summary.ts';
import type { SkipFacet, SkipFilter } from '../core/receipt/skip-filter.ts';
import type { LiveReceiptStore } from './live-receipts.ts';
import type { LoggedRun } from './log/transparency-log.ts';

/** A receipt to add to a run. `urlKey` is a keyed hash of the normalised URL, because the URL is redacted. */
export interface CrawlRow {
  readonly urlKey: string;
  readonly receipt: CrawlReceipt;
}

/** Published runs: nothing of a run is visible before it is published, then all of it. */
export interface PublishedRuns {
  latest(): Promise<CrawlRun | null>;
  /** The newest published runs with their totals, newest first. */
  recent(limit: number): Promise<readonly CrawlRun[]>;
  /** One page of a published run, from 1, in published order; empty beyond the last page. */
  page(runId: string, listing: CrawlListing, page: number): Promise<readonly CrawlReceipt[]>;
  /** How many skips of a published run pass a filter, and where their pages start. */
  countSkips(runId: string, wanted: SkipQuery): Promise<SkipCount>;
  /** Skips of a published run that pass a filter, in its order, strictly after a position. */
  skips(runId: string, wanted: SkipQuery, stretch: SkipStretch): Promise<readonly CrawlReceipt[]>;
  byId(id: string): Promise<CrawlReceipt | null>;
  /** The page of unfiltered skips that has the row of this receipt; null unless it is a skip of the latest published run. */
  skipPage(id: string): Promise<number | null>;
  /** The bytes of its statement; null for an unknown id and for a receipt from before there were statements. */
  statement(id: string): Promise<string | null>;
  /** The published receipts with these ids, in no particular order; unknown ids are missing. */
  byIds(ids: readonly string[]): Promise<readonly CrawlReceipt[]>;
  /** What the latest published run says about a URL; null when the URL is no longer listed. */
  inLatestRun(urlKey: string): Promise<CrawlReceipt | null>;
  /** The receipts of a URL over all published runs, newest first. */
  latestOf(urlKey: string, limit: number): Promise<readonly CrawlReceipt[]>;
  /** The first rows of a part of a published run, in published order. */
  partRows(runId: string, part: RunPart, limit: number): Promise<readonly CrawlRow[]>;
  /** What is in a part of a published run. No more than `limit` rows are counted. */
  countPart(runId: string, part: RunPart, limit: number): Promise<PartCount>;
  /** Who is paid in the counted rows at a host, or which hosts pay in those of a payee; the most frequent first. */
  sharesOf(runId: string, part: RunPart, limits: ShareLimits): Promise<readonly PartShare[]>;
  /** The newest published runs whose rows name payees: those of older releases lack hosts, payees, and what is set aside. */
  countableRuns(limit: number): Promise<readonly RunTime[]>;
}

/** Rows of a run by an index: at a host, to a payee, or listed with a payee whom the live 402 replaces by another one. */
export interface RunPart {
  readonly by: 'host' | 'payee' | 'replaced_payee';
  /** A host without its port, or the `addressKey` of a payee. */
  readonly value: string;
}

export interface PartCount {
  readonly pay: number;
  readonly skip: number;
  readonly recheck: number;
  /** Of the skips, those that are set aside. */
  readonly needsInput: number;
}

export interface ShareLimits {
  /** Rows that are counted. */
  readonly rows: number;
  readonly shares: number;
}

/** A payee by its `addressKey`, or a host. */
export interface PartShare {
  readonly name: string;
  readonly endpoints: number;
}

export interface RunTime {
  readonly id: string;
  readonly crawledAt: Date;
}

/** A filter, and its member that the store uses as index; the others are tested row by row. */
export interface SkipQuery {
  readonly filter: SkipFilter;
  readonly lead: SkipFacet | null;
}

/** `gap` is zero unless it is the sort key. */
export interface SkipPosition extends CrawlPosition {
  readonly gap: number;
}

export interface SkipStretch {
  readonly after: SkipPosition | null;
  readonly limit: number;
}

export interface SkipCount {
  readonly matches: number;
  /** The last row of every page but the last one: the next page starts after it. */
  readonly starts: readonly SkipPosition[];
}

/** Where each page of a listing starts: strictly after this row; the first page has no row before it. */
export type PageStarts = Readonly<Record<CrawlListing, readonly CrawlPosition[]>>;

/** A row of a run that is to be published. */
export interface FinishedRow extends SummaryRow {
  /** The bytes of its statement; null for a row of an older release. */
  readonly statement: string | null;
  /** The latest published run has an answer of the URL. */
  readonly wasHeard: boolean;
}

/** Runs as the crawl writes them. */
export interface CrawlRunStore extends PublishedRuns {
  /** Begins an unpublished run. Idempotent. */
  begin(runId: string, startedAt: Date): Promise<void>;
  /**
   * Stores rows of an unpublished run and replaces those of the same URL. Returns the rows that it did not store because their
   * id belongs to another receipt (gap G54).
   */
  add(runId: string, rows: readonly CrawlRow[]): Promise<readonly CrawlRow[]>;
  /** Rows of a run in published order, strictly after a position. A URL is new if the latest published run lacks it. */
  rows(runId: string, after: CrawlPosition | null, limit: number): Promise<readonly FinishedRow[]>;
  /**
   * Makes a run visible in one step, together with its place in the log; throws when it is unknown or already published. Without
   * `logged`, the run has no tree.
   */
  publish(run: CrawlRun, pageStarts: PageStarts, logged?: LoggedRun | null): Promise<void>;
  /** Deletes rows of an unpublished run, at most `limit`; the run itself is deleted with its last row. */
  discard(runId: string, limit: number): Promise<number>;
}

/** What pages and listings read. A replica may answer it, and then it may be a few seconds old. */
export interface PageReads {
  readonly runs: PublishedRuns;
  readonly receipts: Pick<LiveReceiptStore, 'page'>;
}
