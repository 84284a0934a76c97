import type { Correction } from '../../core/statement/correction.ts';

/** A published correction with the exact text that the log commits to. */
export interface StoredCorrection extends Correction {
  /** The id of the receipt, a colon and a number from 1. */
  readonly id: string;
  readonly text: string;
}

/** Append-only: what was said to be wrong stays said. */
export interface Corrections {
  /** Stores it together with its entry in the log. */
  add(correction: Correction): Promise<StoredCorrection>;
  /** The corrections of a receipt, newest first. */
  of(receiptId: string): Promise<readonly StoredCorrection[]>;
  /** All of them, newest first. */
  newest(skipped: number, limit: number): Promise<readonly StoredCorrection[]>;
}
