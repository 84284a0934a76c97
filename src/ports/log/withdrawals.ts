import type { WithdrawalReason } from '../../core/log/entry.ts';
import type { Withdrawal } from '../../core/statement/withdrawal-stub.ts';

/** Receipts that were taken back: their text is gone, that they were there is not. */
export interface Withdrawals {
  find(id: string): Promise<Withdrawal | null>;
  /** Those of these receipts that were withdrawn, in no particular order. */
  among(ids: readonly string[]): Promise<readonly Withdrawal[]>;
  /** Of all of them, in order, strictly above this one. */
  ids(above: string, limit: number): Promise<readonly string[]>;
  /** How many there are for each reason. */
  counts(): Promise<WithdrawalCounts>;
  /** Null for a receipt that is not there, also because it was withdrawn. */
  sameUrl(id: string, limit: number): Promise<SameUrl | null>;
  /**
   * Removes every text about a receipt and its URL and leaves its hash, with an entry in the log; all or nothing. Other receipts
   * of the URL stay, and so does what a crawl under way has. A receipt that was withdrawn before stays as it was. One from
   * before there were statements leaves the hash of its stored body. Null for an unknown id.
   */
  withdraw(id: string, because: WithdrawalReason, at: Date): Promise<Withdrawal | null>;
}

export type WithdrawalCounts = Readonly<Record<WithdrawalReason, number>>;

/** What else the store has about the URL of a receipt. */
export interface SameUrl {
  /** Other receipts of published runs and of checks, at most `limit`. */
  readonly ids: readonly string[];
  /** A crawl that is not published yet has the URL, too. */
  readonly isBeingCrawled: boolean;
}
