import type { CrawlListing } from '../../../core/receipt/crawl-run.ts';
import type { CrawlCode } from '../../../core/verdict/crawl-words.ts';
import type { Verdict } from '../../../core/verdict/verdict.ts';

export interface CrawlRunRow {
  readonly id: string;
  readonly started_at: number;
  /** Null, like the body, until the run is published. */
  readonly crawled_at: number | null;
  readonly body: string | null;
  /** What the log commits to; null before it is published, and for runs of older releases. */
  readonly statement: string | null;
}

export interface CrawlReceiptRow {
  readonly id: string;
  readonly run_id: string;
  readonly url_key: string;
  readonly url: string;
  readonly verdict: Verdict['verdict'];
  readonly body: string;
  /** The columns for filtering skips; a value too long for an index is stored as empty text. */
  readonly code: CrawlCode;
  readonly source_list: string;
  readonly network: string | null;
  readonly host: string;
  /** The negated price gap in millionths of a dollar, so that the widest sorts first; null without a gap. */
  readonly gap_rank: number | null;
  /** Whom the live 402 pays, by `addressKey`; null without an address, and in rows of older releases. */
  readonly payee: string | null;
  /** Whom the listing pays, where the live 402 pays another address; else null. */
  readonly replaced_payee: string | null;
  /** 1 for a skip that is set aside; else null. */
  readonly set_aside: 1 | null;
  /** What is not public of the receipt, as JSON; null where there is nothing, and in rows of older releases. */
  readonly beside: string | null;
}

/** The row after which a page starts; page 1 has none. */
export interface CrawlPageRow {
  readonly run_id: string;
  readonly listing: CrawlListing;
  readonly page: number;
  readonly after_url: string;
  readonly after_id: string;
}

export interface CrawlWorkRow {
  readonly run_id: string;
  /** 1 once all URLs are listed and hosts can be leased. */
  readonly sealed: number;
}

export interface CrawlHostRow {
  readonly run_id: string;
  readonly host: string;
  readonly urls: number;
  readonly urls_left: number;
  /** Null when never leased, or released. */
  readonly owner: string | null;
  /** By the clock of the database; 0 when free. */
  readonly lease_until: number;
}

export interface CrawlTargetRow {
  readonly run_id: string;
  readonly url_key: string;
  readonly host: string;
  /** 1 once its receipt is stored. */
  readonly done: number;
  readonly endpoint: string;
}

/** Membership of a URL in a list. */
export interface CrawlListedRow {
  readonly run_id: string;
  readonly list: string;
  readonly url_key: string;
}
