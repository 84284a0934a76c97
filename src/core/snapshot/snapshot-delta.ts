import { hash } from 'node:crypto';
import { compareKeys, readShard, type Shard, shardCursor, shardWriter } from './shard.ts';
import { hasTag } from './snapshot-codes.ts';
import { readSnapshot, type Snapshot, type SnapshotFault } from './snapshot-file.ts';
import { HEAD_MAX_BYTES, readHead, SNAPSHOT_MAX_BYTES, sizeOf } from './snapshot-head.ts';
import { KEY_BYTES } from './snapshot-key.ts';
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

/** The new file, or what is wrong. Nothing but the file with the hash that the delta names is ever the result. */
export function applyDelta(from: Snapshot, delta: Buffer): Snapshot | DeltaFault {
  const reading = readDelta(delta);
  if (typeof reading === 'string') return reading;
  if (reading.from !== hexOf(from)) return 'wrong_base';
  const shards = Array.from({ length: SHARDS }, (_, number) => mergeShard(from, reading, number));
  const bytes = Buffer.concat([reading.head, ...shards]);
  if (hash('sha256', bytes, 'hex') !== reading.to) return 'wrong_result';
  return readSnapshot(bytes);
}

interface Delta {
  readonly from: string;
  readonly to: string;
  readonly head: Buffer;
  /** As shards, so that a cursor goes through each of them once. */
  readonly removed: KeyCursor;
  readonly upserted: ReturnType<typeof shardCursor>;
  readonly bytes: Buffer;
}

interface KeyCursor {
  at: number;
  readonly end: number;
}

function readDelta(bytes: Buffer): Delta | DeltaFault {
  if (bytes.length > SNAPSHOT_MAX_BYTES + HEAD_MAX_BYTES + LINES_MAX_BYTES) return 'too_long';
  const [lines, from = '', to = '', removals = '', upserts = ''] =
    LINES.exec(bytes.toString('latin1', 0, Math.min(bytes.length, LINES_MAX_BYTES))) ?? [];
  if (lines === undefined) return 'wrong_delta';
  const reading = readHead(bytes.subarray(lines.length));
  if (reading === null || sizeOf(reading.head) * (KEY_BYTES + 1) > SNAPSHOT_MAX_BYTES) return 'wrong_head';
  const removed = lines.length + reading.end;
  const shard: Shard = { bytes, start: removed + Number(removals) * KEY_BYTES, count: Number(upserts) };
  const end = readShard(shard);
  if (typeof end === 'string') return end;
  if (end !== bytes.length) return 'wrong_length';
  return {
    from,
    to,
    head: bytes.subarray(lines.length, removed),
    removed: { at: removed, end: shard.start },
    upserted: shardCursor(shard),
    bytes,
  };
}

/** One shard of the new file. What is out of order is passed over: the hash of the result then tells. */
function mergeShard(from: Snapshot, { removed, upserted, bytes }: Delta, number: number): Buffer {
  const before = shardAt(from, number);
  const old = shardCursor(before);
  const isHere = (at: number) => bytes[at] === number;
  const start = removed.at;
  while (removed.at < removed.end && isHere(removed.at)) removed.at += KEY_BYTES;
  let gone = start;
  const rows: [Buffer, number, number, number][] = [];
  const isGone = (keyAt: number) => {
    const isIt = gone < removed.at && compareKeys(before.bytes, keyAt, bytes, gone) === 0;
    if (isIt) gone += KEY_BYTES;
    return isIt;
  };
  while (old.isOpen || (upserted.isOpen && isHere(upserted.keyAt))) {
    const hasNew = upserted.isOpen && isHere(upserted.keyAt);
    const order = orderOf(old.isOpen, hasNew, () =>
      compareKeys(before.bytes, old.keyAt, bytes, upserted.keyAt),
    );
    if (order < 0 && !isGone(old.keyAt)) rows.push([before.bytes, old.keyAt, old.code, old.tagAt]);
    if (order >= 0) rows.push([bytes, upserted.keyAt, upserted.code, upserted.tagAt]);
    if (order <= 0) old.next();
    if (order >= 0) upserted.next();
  }
  const writer = shardWriter(rows.length);
  for (const [source, keyAt, code, tagAt] of rows) writer.add(source, keyAt, code, source, tagAt);
  return writer.bytes();
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
