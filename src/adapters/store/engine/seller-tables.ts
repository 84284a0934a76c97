import type { ProbeMethod } from '../../../core/verdict/probe-outcome.ts';
import type { Verdict } from '../../../core/verdict/verdict.ts';

/** The tables of what owners of endpoints had us keep. */
export interface SellerTables {
  readonly seller_revision: SellerRevisionRow;
  readonly retests: RetestRow;
}

/** One row, raised by every write to the tables that pages show. */
interface SellerRevisionRow {
  readonly id: number;
  readonly revision: number;
}

export interface RetestRow {
  readonly url_key: string;
  readonly method: ProbeMethod;
  readonly verdict: Verdict['verdict'];
  readonly reason: string;
  readonly receipt_id: string;
  readonly checked_at: number;
}
