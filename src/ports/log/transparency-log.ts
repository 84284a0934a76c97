import type { Tile } from '../../core/log/tile.ts';
import type { Hash } from '../../core/log/tree-hash.ts';

/** An entry that wants a place in the log. An id has one entry, whatever is added under it later. */
export interface NewEntry {
  readonly id: string;
  readonly entry: string;
}

/** A stretch of the log under one name: a store that was set back begins another one. */
export type Epoch = Pick<LogHead, 'tree' | 'origin'>;

/** The signed state of one tree: an epoch of the log, or the receipts of a run. */
export interface LogHead {
  /** The number of the epoch, or `run:` and the id of a run. */
  readonly tree: string;
  readonly origin: string;
  /** The key that signs it, as text. */
  readonly key: string;
  readonly size: number;
  readonly root: Hash;
  /** The newest signed checkpoint; null for an epoch without entries. */
  readonly checkpoint: string | null;
  /** What clients get: a checkpoint that witnesses have been asked about. */
  readonly published: Published | null;
  /** The newest one that enough witnesses have cosigned. */
  readonly cosigned: Published | null;
}

export interface Published {
  readonly size: number;
  readonly note: string;
}

/** What a round of sequencing works on. */
export interface Waiting {
  readonly head: LogHead;
  /** The partial tile at the right edge of each level. */
  readonly edge: ReadonlyMap<number, Uint8Array>;
  readonly entries: readonly string[];
}

export interface Grown {
  readonly size: number;
  readonly root: Hash;
  /** Every tile that has changed, in its widest form. */
  readonly tiles: readonly StoredTile[];
  readonly checkpoint: string;
}

export interface StoredTile {
  readonly tile: Tile;
  readonly bytes: Uint8Array;
}

export type Appended =
  | { readonly kind: 'appended'; readonly head: LogHead; readonly isMore: boolean }
  | { readonly kind: 'nothing_waits' }
  /** Another process has the lock of the head. */
  | { readonly kind: 'busy' };

export interface Placed {
  readonly tree: string;
  readonly index: number;
  readonly entry: string;
}

/** The place of a crawl receipt in the tree of its run. */
export interface PlaceInRun {
  readonly runId: string;
  readonly index: number;
}

/** What the log keeps of a run, written together with its publication: all of it or nothing. */
export interface LoggedRun {
  readonly head: Pick<LogHead, 'tree' | 'origin' | 'key' | 'size' | 'root'> & { readonly checkpoint: string };
  readonly statement: string;
  /** The entry of the run in the newest epoch. */
  readonly entry: NewEntry;
}

export interface LogBacklog {
  readonly entries: number;
  /** By the clock of the store; null when nothing waits. */
  readonly oldestMs: number | null;
}

/** Reading: what monitors and proofs need. */
export interface LogReader {
  /** The newest epoch; null before the log was opened. */
  current(): Promise<LogHead | null>;
  head(tree: string): Promise<LogHead | null>;
  /** The epochs, oldest first. */
  epochs(): Promise<readonly LogHead[]>;
  /** Exactly the bytes of this width; null for what is not stored. */
  tile(tree: string, tile: Tile): Promise<Uint8Array | null>;
  /** The trees of published runs, in a fixed order. */
  runHeads(): Promise<readonly LogHead[]>;
  /** Entries of a tree in order, fewer at its end. */
  entries(tree: string, from: number, count: number): Promise<readonly Placed[]>;
  /** Null for an unknown id; `waiting` for one without a place. */
  place(id: string): Promise<Placed | 'waiting' | null>;
  /** Null for an unknown id, and for a receipt of a run without a tree. Still there after a withdrawal. */
  placeInRun(id: string): Promise<PlaceInRun | null>;
  /** Hashes of the statements of a run in order, the withdrawn ones included, fewer at its end; none without a tree. */
  runEntries(runId: string, from: number, count: number): Promise<readonly Hash[]>;
  /** The statements themselves, with a stub for a withdrawn one. */
  runStatements(runId: string, from: number, count: number): Promise<readonly string[]>;
  /** Null for an unknown run, and for one without a tree. */
  runStatement(runId: string): Promise<string | null>;
  backlog(): Promise<LogBacklog>;
}

/** The log as processes write it. Any number of them may, at the same time. */
export interface LogStore extends LogReader {
  /** Adds entries that wait for their place; an id that is known already is left as it is. */
  add(entries: readonly NewEntry[]): Promise<void>;
  /** Begins the first epoch if there is none. Answers the newest one. */
  open(first: Pick<LogHead, 'origin' | 'key'>): Promise<LogHead>;
  /**
   * Gives up to `limit` waiting entries their places under the lock of the newest head. `grow` has no side effect: it may run
   * again after a rollback, and what it signed then never left the process.
   */
  append(limit: number, grow: (waiting: Waiting) => Grown): Promise<Appended>;
  /** Replaces the keys of an epoch, if they are still the ones named, and adds the entry that says so. */
  changeKeys(tree: string, from: string, to: string, entry: NewEntry | null): Promise<void>;
  /**
   * Publishes a checkpoint that is larger than the published one, or adds cosignatures to it. `isCosigned`: by enough witnesses;
   * it is kept for proofs, and may renew cosignatures.
   */
  publish(tree: string, published: Published, isCosigned: boolean): Promise<void>;
  /**
   * Ends the newest epoch and begins another one, whose first entry says where the old one ended: nothing is appended to it meanwhile,
   * and its last checkpoint is published.
   */
  beginEpoch(
    next: Pick<LogHead, 'origin' | 'key'>,
    first: (last: LogHead | null) => NewEntry,
  ): Promise<LogHead>;
  /** Writes tiles of a tree again: they can be computed from its entries. */
  keepTiles(tree: string, tiles: readonly StoredTile[]): Promise<void>;
}
