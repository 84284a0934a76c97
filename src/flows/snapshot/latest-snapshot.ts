import { manifestEntry } from '../../core/snapshot/snapshot-manifest.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';
import type { KeptSnapshot, SnapshotStore } from '../../ports/snapshot/snapshots.ts';

export interface LatestSnapshotPorts {
  readonly snapshots: Pick<SnapshotStore, 'latest'>;
  readonly transparencyLog: Pick<LogReader, 'place'>;
}

export interface LatestSnapshot extends KeptSnapshot {
  /** Of the entry that says which file everybody gets, in the log that its manifest names; null while it waits. */
  readonly logIndex: number | null;
}

/** Null before the first. */
export async function latestSnapshot({
  snapshots,
  transparencyLog,
}: LatestSnapshotPorts): Promise<LatestSnapshot | null> {
  const latest = await snapshots.latest();
  if (latest === null) return null;
  const place = await transparencyLog.place(manifestEntry(latest.runId, latest.manifest).id);
  return { ...latest, logIndex: place === null || place === 'waiting' ? null : place.index };
}
