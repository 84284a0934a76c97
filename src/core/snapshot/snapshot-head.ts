import { KEY_BYTES } from './snapshot-key.ts';
import { ROW_BYTES, SHARDS } from './snapshot-rows.ts';

/** What a file says about itself before its shards. */
export interface SnapshotHead {
  readonly runId: string;
  readonly crawledAt: Date;
  /** 256 of them, in the order of their first key byte. */
  readonly shards: readonly ShardEntry[];
}

export interface ShardEntry {
  readonly count: number;
  readonly sha256: Buffer;
}

const COUNT_BYTES = 4;
const HASH_BYTES = 32;
const ENTRY_BYTES = COUNT_BYTES + HASH_BYTES;
const TABLE_BYTES = SHARDS * ENTRY_BYTES;
const LINES = /^assay snapshot v1\n([0-9A-Za-z_-]{1,64})\n(20[0-9-]{8}T[0-9:.]{12}Z)\n/;
const LINES_MAX_BYTES = 128;
/** A whole file. A million endpoints take 17 MB at most. */
export const SNAPSHOT_MAX_BYTES = 64_000_000;
const ROWS_MAX = Math.floor(SNAPSHOT_MAX_BYTES / (KEY_BYTES + 1));
export const HEAD_MAX_BYTES = LINES_MAX_BYTES + TABLE_BYTES;

/** A file of so many rows has no more. A delta that leads to it is shorter than the file, or is not published. */
export function fileMaxBytes(size: number): number {
  return Math.min(SNAPSHOT_MAX_BYTES, HEAD_MAX_BYTES + size * ROW_BYTES);
}

export function encodeHead({ runId, crawledAt, shards }: SnapshotHead): Buffer {
  const lines = `assay snapshot v1\n${runId}\n${crawledAt.toISOString()}\n`;
  if (!LINES.test(lines)) throw new Error('the id of a run has up to 64 letters and digits');
  if (shards.length !== SHARDS) throw new Error(`a snapshot has ${SHARDS} shards`);
  const table = shards.map(({ count, sha256 }) => {
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.writeUInt32BE(count);
    sha256.copy(entry, COUNT_BYTES);
    return entry;
  });
  return Buffer.concat([Buffer.from(lines), ...table]);
}

/** The head at the beginning of these bytes, and where it ends; null when there is none. */
export function readHead(bytes: Buffer): { readonly head: SnapshotHead; readonly end: number } | null {
  const [lines, runId = '', moment = ''] =
    LINES.exec(bytes.toString('latin1', 0, Math.min(bytes.length, LINES_MAX_BYTES))) ?? [];
  if (lines === undefined || bytes.length < lines.length + TABLE_BYTES) return null;
  const crawledAt = readMoment(moment);
  if (crawledAt === null) return null;
  let rows = 0;
  const shards = Array.from({ length: SHARDS }, (_, index): ShardEntry => {
    const at = lines.length + index * ENTRY_BYTES;
    const count = bytes.readUInt32BE(at);
    rows += count;
    return { count, sha256: bytes.subarray(at + COUNT_BYTES, at + ENTRY_BYTES) };
  });
  if (rows > ROWS_MAX) return null;
  return { head: { runId, crawledAt, shards }, end: lines.length + TABLE_BYTES };
}

/** Only the spelling that we write, so that a text has one form. */
export function readMoment(text: string): Date | null {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text ? moment : null;
}

export function sizeOf({ shards }: Pick<SnapshotHead, 'shards'>): number {
  return shards.reduce((size, { count }) => size + count, 0);
}
