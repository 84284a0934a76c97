import { hash } from 'node:crypto';
import type { SignedFile } from '../../src/core/snapshot/snapshot-delta.ts';
import {
  type BuiltShard,
  headOf,
  readSnapshot,
  type Snapshot,
} from '../../src/core/snapshot/snapshot-file.ts';
import { readHead } from '../../src/core/snapshot/snapshot-head.ts';
import { SHARDS, type SnapshotRow, snapshotRows } from '../../src/core/snapshot/snapshot-rows.ts';

export const CRAWLED_AT = new Date('2026-11-15T12:00:00.000Z');

/** The bytes of the file of these rows. */
export function fileOf(rows: Iterable<SnapshotRow>, runId = 'run-1'): Buffer {
  const collected = snapshotRows();
  for (const row of rows) collected.add(row);
  const shards: BuiltShard[] = Array.from({ length: SHARDS }, (_, number) => collected.shard(number));
  const head = headOf({ runId, crawledAt: CRAWLED_AT }, shards);
  return Buffer.concat([head.bytes, ...shards.map(({ bytes }) => bytes)]);
}

export function snapshotOf(rows: Iterable<SnapshotRow>, runId = 'run-1'): Snapshot {
  const snapshot = readSnapshot(fileOf(rows, runId));
  if (typeof snapshot === 'string') throw new Error(`the file cannot be read: ${snapshot}`);
  return snapshot;
}

/** What a manifest signs of this file. */
export function signedOf({ bytes }: Snapshot): SignedFile {
  const head = bytes.subarray(0, readHead(bytes)?.end);
  return { sha256: hash('sha256', bytes, 'buffer'), headSha256: hash('sha256', head, 'buffer') };
}
