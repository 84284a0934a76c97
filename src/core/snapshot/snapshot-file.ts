import { hash } from 'node:crypto';
import { findKey, readShard, rowAt, type Shard, type ShardFault } from './shard.ts';
import { findingOf, type SnapshotFinding } from './snapshot-codes.ts';
import { encodeHead, readHead, SNAPSHOT_MAX_BYTES, type SnapshotHead, sizeOf } from './snapshot-head.ts';
import { KEY_BYTES } from './snapshot-key.ts';

/** A file whose every byte has been checked. Nothing is decoded: look-ups read the bytes. */
export interface Snapshot {
  readonly head: SnapshotHead;
  readonly size: number;
  readonly shards: readonly Shard[];
  readonly bytes: Buffer;
}

export type SnapshotFault = 'too_long' | 'wrong_head' | 'wrong_hash' | 'wrong_shard' | ShardFault;

export interface BuiltShard {
  readonly bytes: Buffer;
  readonly count: number;
}

/** The head of the file that consists of these shards. */
export function headOf(
  run: Pick<SnapshotHead, 'runId' | 'crawledAt'>,
  shards: readonly BuiltShard[],
): { readonly bytes: Buffer; readonly size: number } {
  const entries = shards.map(({ bytes, count }) => ({ count, sha256: hash('sha256', bytes, 'buffer') }));
  return { bytes: encodeHead({ ...run, shards: entries }), size: sizeOf({ shards: entries }) };
}

export function readSnapshot(bytes: Buffer): Snapshot | SnapshotFault {
  if (bytes.length > SNAPSHOT_MAX_BYTES) return 'too_long';
  const reading = readHead(bytes);
  if (reading === null) return 'wrong_head';
  const { head } = reading;
  const shards: Shard[] = [];
  let start = reading.end;
  for (const [number, { count }] of head.shards.entries()) {
    const shard = { bytes, start, count };
    const end = readEntry(head, number, shard);
    if (typeof end === 'string') return end;
    shards.push(shard);
    start = end;
  }
  return start === bytes.length ? { head, size: sizeOf(head), shards, bytes } : 'wrong_length';
}

function readEntry(head: SnapshotHead, number: number, shard: Shard): number | SnapshotFault {
  const end = readShard(shard);
  if (typeof end === 'string') return end;
  const { bytes, start, count } = shard;
  const sha256 = hash('sha256', bytes.subarray(start, end), 'buffer');
  if (head.shards[number]?.sha256.equals(sha256) !== true) return 'wrong_hash';
  // Sorted, so the first and the last key say it for all.
  const isOurs =
    count === 0 || (bytes[start] === number && bytes[start + (count - 1) * KEY_BYTES] === number);
  return isOurs ? end : 'wrong_shard';
}

export interface Found extends SnapshotFinding {
  /** The tag of the terms that passed; null unless the verdict is `pay`. */
  readonly tag: Buffer | null;
}

/** Null for an unknown endpoint, and for a finding that only later releases know. */
export function findInSnapshot({ shards }: Snapshot, key: Buffer): Found | null {
  const shard = shards[key[0] ?? 0];
  const index = shard === undefined ? -1 : findKey(shard, key);
  if (shard === undefined || index === -1) return null;
  const { code, tag } = rowAt(shard, index);
  const finding = findingOf(code);
  return finding === null ? null : { ...finding, tag };
}
