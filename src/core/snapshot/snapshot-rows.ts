import { compareKeys, shardWriter } from './shard.ts';
import { KEY_BYTES } from './snapshot-key.ts';

export const SHARDS = 256;
/** Of a row with a tag. */
export const ROW_BYTES = KEY_BYTES + 1 + KEY_BYTES;
const FIRST_ROWS = 64;
const NO_ROWS = Buffer.alloc(0);

export interface SnapshotRow {
  readonly key: Buffer;
  readonly code: number;
  /** Null for a code without one. */
  readonly tag: Buffer | null;
}

/** Collects rows in any order, 17 bytes each, by the first byte of their key. */
export interface SnapshotRows {
  add(row: SnapshotRow): void;
  /** One shard in its final form. Sorting 4,000 rows takes milliseconds: do something else between two of them. */
  shard(number: number): { readonly bytes: Buffer; readonly count: number };
}

interface Collected {
  rows: Buffer;
  count: number;
}

export function snapshotRows(): SnapshotRows {
  const shards = Array.from({ length: SHARDS }, (): Collected => ({ rows: NO_ROWS, count: 0 }));
  return {
    add({ key, code, tag }) {
      const shard = shards[key[0] ?? 0];
      if (shard === undefined) return;
      const at = shard.count * ROW_BYTES;
      if (at === shard.rows.length) shard.rows = grown(shard.rows);
      key.copy(shard.rows, at, 0, KEY_BYTES);
      shard.rows[at + KEY_BYTES] = code;
      tag?.copy(shard.rows, at + KEY_BYTES + 1, 0, KEY_BYTES);
      shard.count += 1;
    },
    shard(number) {
      const { rows, count } = shards[number] ?? { rows: NO_ROWS, count: 0 };
      const starts = new Uint32Array(count).map((_, index) => index * ROW_BYTES);
      starts.sort((left, right) => compareKeys(rows, left, rows, right));
      const writer = shardWriter(count);
      for (const [index, start] of starts.entries()) {
        if (isSame(rows, start, starts[index - 1]) || isSame(rows, start, starts[index + 1])) continue;
        writer.add(rows, start, rows[start + KEY_BYTES] ?? 0, rows, start + KEY_BYTES + 1);
      }
      return { bytes: writer.bytes(), count: writer.count };
    },
  };
}

/** Two endpoints with one key are both left out: a look-up could not tell which of them it found. */
function isSame(rows: Buffer, start: number, other: number | undefined): boolean {
  return other !== undefined && compareKeys(rows, start, rows, other) === 0;
}

function grown(rows: Buffer): Buffer {
  const larger = Buffer.alloc(Math.max(FIRST_ROWS * ROW_BYTES, rows.length * 2));
  rows.copy(larger);
  return larger;
}
