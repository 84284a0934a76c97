/** A signed file of verdicts, without its bytes. */
export interface KeptSnapshot {
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
  readonly runId: string;
  readonly crawledAt: Date;
  readonly expiresAt: Date;
  /** Endpoints. */
  readonly size: number;
  /** A signed note. */
  readonly manifest: string;
  /** The file that the delta starts from; null when there is no delta. */
  readonly deltaFrom: string | null;
}

/** A shard by its number from 0 to 255, the head before them, or the delta from the file before. */
export type SnapshotPart = number | 'head' | 'delta';

export interface SnapshotBytes {
  readonly part: SnapshotPart;
  readonly bytes: Uint8Array;
}

/** Files of verdicts. None is in a backup: each can be made again from its run. */
export interface SnapshotStore {
  /** The one of the newest crawl. */
  latest(): Promise<KeptSnapshot | null>;
  find(sha256: string): Promise<KeptSnapshot | null>;
  /** Null unless the file is published and has this part. */
  part(sha256: string, part: SnapshotPart): Promise<Buffer | null>;
  /** Stores parts of a file that nobody sees yet. Those that are there stay: a file has one content. */
  add(sha256: string, parts: readonly SnapshotBytes[]): Promise<void>;
  /**
   * Makes a file visible and keeps the newest two. False, and nothing changes, if the latest one is not `after` any more, or if a
   * part has been removed meanwhile: its rows may be out of date.
   */
  publish(snapshot: KeptSnapshot, after: string | null): Promise<boolean>;
  /** Makes a file visible and removes all others. False if a part has been removed meanwhile. */
  replaceAll(snapshot: KeptSnapshot): Promise<boolean>;
}
