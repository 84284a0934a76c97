/** The tables of the transparency log. */
export interface LogTables {
  readonly log_entries: LogEntryRow;
  readonly log_heads: LogHeadRow;
  readonly log_tiles: LogTileRow;
  readonly withdrawals: WithdrawalRow;
  readonly corrections: CorrectionRow;
}

/** `tree` and `seq` are null while the entry waits for its place. */
interface LogEntryRow {
  readonly id: string;
  readonly entry: string;
  readonly queued_at: number;
  readonly tree: string | null;
  readonly seq: number | null;
}

/** `epoch` is null for the tree of a run. */
export interface LogHeadRow {
  readonly tree: string;
  readonly epoch: number | null;
  readonly origin: string;
  readonly key: string;
  readonly size: number;
  readonly root: string;
  readonly checkpoint: string | null;
  readonly published_size: number | null;
  readonly published: string | null;
  readonly cosigned_size: number | null;
  readonly cosigned: string | null;
}

/** A tile in its widest form: every narrower one is the beginning of it. */
interface LogTileRow {
  readonly tree: string;
  readonly level: number;
  readonly n: number;
  readonly tile: Uint8Array;
}

/** `seq` is the place in the tree of its run; null for the receipt of a check. */
interface WithdrawalRow {
  readonly id: string;
  readonly sha256: string;
  readonly because: string;
  readonly at: number;
  readonly run_id: string | null;
  readonly seq: number | null;
}

interface CorrectionRow {
  readonly id: string;
  readonly receipt_id: string;
  readonly body: string;
  readonly at: number;
}
