/** A receipt of a week that was taken out of the store. */
export interface ArchivedReceipt {
  readonly id: string;
  readonly mode: 'live' | 'dry-run';
  readonly checkedAt: Date;
  /** The bytes of its statement, or what a release before statements has stored. */
  readonly body: string;
}

export interface ArchivedWeek {
  readonly receipts: number;
  /** Of the file. */
  readonly sha256: string;
}

/** One file for each week, such as `2026w47`. */
export interface ReceiptArchive {
  /** Nothing for a week that is not there. */
  read(week: string): AsyncIterable<ArchivedReceipt>;
  /** Replaces the week, unless somebody else has replaced it since the call. Durable and read back when it returns; a crash leaves the old week or the new one. */
  write(week: string, receipts: AsyncIterable<ArchivedReceipt>): Promise<ArchivedWeek>;
}
