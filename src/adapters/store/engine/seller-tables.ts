import type { ProbeMethod } from '../../../core/verdict/probe-outcome.ts';
import type { Verdict } from '../../../core/verdict/verdict.ts';

/** The tables of what owners of endpoints had us keep. */
export interface SellerTables {
  readonly seller_revision: SellerRevisionRow;
  readonly retests: RetestRow;
  readonly replies: ReplyRow;
}

/** One row, raised by every write to the tables that pages show. */
interface SellerRevisionRow {
  readonly id: number;
  readonly revision: number;
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
  readonly url_key: string;
  readonly method: ProbeMethod;
  readonly verdict: Verdict['verdict'];
  readonly reason: string;
  readonly receipt_id: string;
  readonly checked_at: number;
}
