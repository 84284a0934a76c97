/** The tables of signed files of verdicts. */
export interface SnapshotTables {
  readonly snapshots: SnapshotRow;
  readonly snapshot_parts: SnapshotPartRow;
}

/** A published file. */
export interface SnapshotRow {
  readonly sha256: string;
  readonly run_id: string;
  readonly crawled_at: number;
  readonly expires_at: number;
  readonly size: number;
  readonly manifest: string;
  /** Null when there is no delta. */
  readonly delta_from: string | null;
}

interface SnapshotPartRow {
  readonly sha256: string;
  /** 0 to 255: a shard; 256: the head; 257: the delta. */
  readonly part: number;
  readonly bytes: Uint8Array;
}
