import type { WithdrawalReason } from '../core/log/entry.ts';
import type { Withdrawal } from '../core/statement/withdrawal-stub.ts';

/** Receipts that were taken back: their text is gone, that they were there is not. */
export interface Withdrawals {
  find(id: string): Promise<Withdrawal | null>;
  /** Those of these receipts that were withdrawn, in no particular order. */
  among(ids: readonly string[]): Promise<readonly Withdrawal[]>;
  /**
   * Removes every text about a receipt and leaves its hash, with an entry in the log; all or nothing. A receipt that was withdrawn
   * before stays as it was. Null for an unknown id, and for a receipt without a statement.
   */
  withdraw(id: string, because: WithdrawalReason, at: Date): Promise<Withdrawal | null>;
}
