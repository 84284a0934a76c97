import type { ProbeMethod } from '../../../core/verdict/probe-outcome.ts';
import type { Verdict } from '../../../core/verdict/verdict.ts';

/** The tables of what owners of endpoints had us keep. */
export interface SellerTables {
  readonly seller_revision: SellerRevisionRow;
  readonly retests: RetestRow;
  readonly replies: ReplyRow;
  readonly watches: WatchRow;
  readonly webhook_events: WebhookEventRow;
}

/** One row, raised by every write to the tables that pages show. */
interface SellerRevisionRow {
  readonly id: number;
  readonly revision: number;
}

export interface WatchRow {
  readonly id: string;
  readonly url_key: string;
  readonly host_key: string;
  readonly owner_key: string;
  readonly url: string;
  readonly method: ProbeMethod | null;
  readonly webhook: string;
  readonly until: number;
  /** JSON; null before the first receipt. */
  readonly seen: string | null;
  /** Raised with `seen`. */
  readonly version: number;
  /** When it is due, by the clock of the database. */
  readonly look_at: number;
}

interface WebhookEventRow {
  readonly id: string;
  readonly watch_id: string;
  readonly body: string;
  readonly failed: number;
  /** When it is due, or its lease ends, by the clock of the database. */
  readonly due_at: number;
}

export interface ReplyRow {
  readonly url_key: string;
  /** The time of the newest statement. */
  readonly signed_at: number;
  /** Null, like `signed`, once it is withdrawn: an older statement must not bring it back. */
  readonly note: string | null;
  /** The signed document as JSON. */
  readonly signed: string | null;
}

export interface RetestRow {
  /** Of the URL as it was requested, not of the normalised one. */
  readonly url_key: string;
  readonly method: ProbeMethod;
  readonly verdict: Verdict['verdict'];
  readonly reason: string;
  /** 0 or 1. */
  readonly needs_input: number;
  readonly receipt_id: string;
  readonly checked_at: number;
}
