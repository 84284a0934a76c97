import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import type { NoteKey } from '../../core/log/note.ts';
import type { Snapshot } from '../../core/snapshot/snapshot-file.ts';
import { type SnapshotManifest, snapshotEnd } from '../../core/snapshot/snapshot-manifest.ts';
import { openFile, openManifest } from '../../core/snapshot/verify-snapshot.ts';
import type { LogMemory } from './log-memory.ts';

/** A verified file in memory. */
export interface Held {
  readonly manifest: SnapshotManifest;
  readonly snapshot: Snapshot;
}

/** Never rejects; null when there is nothing usable, so that what is held stays. Forked: nothing of that log counts any more. */
export type LoadSnapshot = (held: Held | null, now: Date) => Promise<Held | 'forked' | null>;

export interface Trusted {
  readonly key: NoteKey;
  readonly origin: string;
  /** What this buyer has seen of the log. */
  readonly memory: LogMemory;
}

/** A manifest has seven short lines and a few signatures. */
export const NOTE_MAX_BYTES = 65_536;

/** Null for a manifest that is not signed, is not of this origin, has expired, or is of a crawl in the future. */
export function trustedManifest(
  note: string,
  { key, origin }: Pick<Trusted, 'key' | 'origin'>,
  now: Date,
): SnapshotManifest | null {
  const manifest = openManifest(note, key, origin);
  if (typeof manifest === 'string' || now >= manifest.expiresAt) return null;
  // By a wrong clock of the service: what passed then would count for as long, and nothing newer would replace it.
  return isDatedAhead(manifest.expiresAt.getTime(), snapshotEnd(now)) ? null : manifest;
}

/** Null for another file than the manifest names, and for one that is older than what is held. */
export function trustedFile(bytes: Buffer, manifest: SnapshotManifest, held: Held | null): Held | null {
  const snapshot = openFile(bytes, manifest);
  if (typeof snapshot === 'string') return null;
  const isOlder = held !== null && snapshot.head.crawledAt < held.snapshot.head.crawledAt;
  return isOlder ? null : { manifest, snapshot };
}
