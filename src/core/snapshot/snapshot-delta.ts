import { hash } from 'node:crypto';
import { compareKeys, readShard, type Shard, shardCursor, shardWriter } from './shard.ts';
import { hasTag } from './snapshot-codes.ts';
import { readSnapshot, type Snapshot, type SnapshotFault } from './snapshot-file.ts';
import { HEAD_MAX_BYTES, readHead, SNAPSHOT_MAX_BYTES, type SnapshotHead, sizeOf } from './snapshot-head.ts';
import { KEY_BYTES } from './snapshot-key.ts';
import type { SnapshotManifest } from './snapshot-manifest.ts';
import { SHARDS } from './snapshot-rows.ts';

/** The way from one file to the next: the new head, the removed keys, and the rows that are new or changed as one shard. */
const LINES = /^assay snapshot delta v1\n([0-9a-f]{64})\n([0-9a-f]{64})\n([0-9]{1,8}) ([0-9]{1,8})\n/;
const LINES_MAX_BYTES = 256;

export type DeltaFault = 'wrong_delta' | 'wrong_base' | 'wrong_result' | SnapshotFault;

/** In steps of a shard: a million rows take a second, and others wait for the same thread. */
export function* makeDelta(from: Snapshot, to: Snapshot): Generator<undefined, Buffer> {
  const upserts = shardWriter(to.size);
  const removed: Buffer[] = [];
  for (let number = 0; number < SHARDS; number += 1) {
    yield;
    const [before, after] = [shardAt(from, number), shardAt(to, number)];
    const [old, now] = [shardCursor(before), shardCursor(after)];
    while (old.isOpen || now.isOpen) {
      const order = orderOf(old.isOpen, now.isOpen, () =>
        compareKeys(before.bytes, old.keyAt, after.bytes, now.keyAt),
      );
      if (order < 0) removed.push(before.bytes.subarray(old.keyAt, old.keyAt + KEY_BYTES));
      else if (order > 0 || !isSameRow(before.bytes, old, after.bytes, now))
        upserts.add(after.bytes, now.keyAt, now.code, after.bytes, now.tagAt);
      if (order <= 0) old.next();
      if (order >= 0) now.next();
    }
  }
  const lines = `assay snapshot delta v1\n${hexOf(from)}\n${hexOf(to)}\n${removed.length} ${upserts.count}\n`;
  const head = to.bytes.subarray(0, readHead(to.bytes)?.end);
  return Buffer.concat([Buffer.from(lines), head, ...removed, upserts.bytes()]);
}

/** What a manifest says of the file to which a delta leads. */
export type SignedFile = Pick<SnapshotManifest, 'sha256' | 'headSha256'>;

/** The signed file, or what is wrong. A delta is not signed: what it may cost follows from the signed head, which is compared first. */
export function applyDelta(from: Snapshot, delta: Buffer, signed: SignedFile): Snapshot | DeltaFault {
  const reading = readDelta(from, delta, signed);
  if (typeof reading === 'string') return reading;
  const parts = [reading.head];
  for (const [number, { count }] of reading.shards.entries()) {
    const shard = mergeShard(from, reading, { number, count });
    if (shard === null) return 'wrong_result';
    parts.push(shard);
  }
  const bytes = Buffer.concat(parts);
  return signed.sha256.equals(hash('sha256', bytes, 'buffer')) ? readSnapshot(bytes) : 'wrong_result';
}

interface Delta {
  readonly head: Buffer;
  readonly shards: SnapshotHead['shards'];
  /** As shards, so that a cursor goes through each of them once. */
  readonly removed: KeyCursor;
  readonly upserted: Cursor;
  readonly bytes: Buffer;
}

interface KeyCursor {
  at: number;
  readonly end: number;
}

function readDelta(base: Snapshot, bytes: Buffer, signed: SignedFile): Delta | DeltaFault {
  if (bytes.length > SNAPSHOT_MAX_BYTES + HEAD_MAX_BYTES + LINES_MAX_BYTES) return 'too_long';
  const [lines, from = '', to = '', removals = '', upserts = ''] =
    LINES.exec(bytes.toString('latin1', 0, Math.min(bytes.length, LINES_MAX_BYTES))) ?? [];
  if (lines === undefined) return 'wrong_delta';
  if (to !== signed.sha256.toString('hex')) return 'wrong_result';
  const reading = readHead(bytes.subarray(lines.length));
  if (reading === null) return 'wrong_head';
  const removed = lines.length + reading.end;
  const head = bytes.subarray(lines.length, removed);
  if (!signed.headSha256.equals(hash('sha256', head, 'buffer'))) return 'wrong_head';
  if (Number(upserts) > sizeOf(reading.head) || Number(removals) > base.size) return 'wrong_delta';
  if (from !== hexOf(base)) return 'wrong_base';
  const shard: Shard = { bytes, start: removed + Number(removals) * KEY_BYTES, count: Number(upserts) };
  const end = readShard(shard);
  if (typeof end === 'string') return end;
  if (end !== bytes.length) return 'wrong_length';
  return {
    ...{ head, shards: reading.head.shards, bytes },
    removed: { at: removed, end: shard.start },
    upserted: shardCursor(shard),
  };
}

/**
 * One shard of the new file; null as soon as it has another number of rows than the head says. What is out of order is passed
 * over: the hash of the result then tells.
 */
function mergeShard(
  from: Snapshot,
  { removed, upserted, bytes }: Delta,
  { number, count }: { readonly number: number; readonly count: number },
): Buffer | null {
  const before = shardAt(from, number);
  const old = shardCursor(before);
  const isHere = (at: number) => bytes[at] === number;
  const start = removed.at;
  while (removed.at < removed.end && isHere(removed.at)) removed.at += KEY_BYTES;
  let gone = start;
  const isGone = (keyAt: number) => {
    const isIt = gone < removed.at && compareKeys(before.bytes, keyAt, bytes, gone) === 0;
    if (isIt) gone += KEY_BYTES;
    return isIt;
  };
  const rows = shardWriter(count);
  while (old.isOpen || (upserted.isOpen && isHere(upserted.keyAt))) {
    const hasNew = upserted.isOpen && isHere(upserted.keyAt);
    const order = orderOf(old.isOpen, hasNew, () =>
      compareKeys(before.bytes, old.keyAt, bytes, upserted.keyAt),
    );
    const [source, row] = order < 0 ? [before.bytes, old] : [bytes, upserted];
    if (order >= 0 || !isGone(old.keyAt)) {
      if (rows.count === count) return null;
      rows.add(source, row.keyAt, row.code, source, row.tagAt);
    }
    if (order <= 0) old.next();
    if (order >= 0) upserted.next();
  }
  return rows.count === count ? rows.bytes() : null;
}

/** Negative: only the old has this key. Positive: only the new one. Zero: both. */
function orderOf(hasOld: boolean, hasNew: boolean, compare: () => number): number {
  if (!hasNew) return -1;
  return hasOld ? compare() : 1;
}

type Cursor = ReturnType<typeof shardCursor>;

function isSameRow(oldBytes: Buffer, old: Cursor, newBytes: Buffer, now: Cursor): boolean {
  if (old.code !== now.code) return false;
  return !hasTag(old.code) || compareKeys(oldBytes, old.tagAt, newBytes, now.tagAt) === 0;
}

function shardAt({ shards, bytes }: Snapshot, number: number): Shard {
  return shards[number] ?? { bytes, start: 0, count: 0 };
}

function hexOf({ bytes }: Snapshot): string {
  return hash('sha256', bytes, 'hex');
}
