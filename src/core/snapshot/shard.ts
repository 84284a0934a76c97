import { hasTag, isCodeNumber } from './snapshot-codes.ts';
import { KEY_BYTES } from './snapshot-key.ts';

/** Rows in the order of their keys: all keys, then all codes, then the tags of the rows that have one. */
export interface Shard {
  readonly bytes: Buffer;
  /** Where the keys begin. */
  readonly start: number;
  readonly count: number;
}

/** A code and, for what may be paid, the tag of its terms. */
export interface Row {
  readonly code: number;
  readonly tag: Buffer | null;
}

export type ShardFault = 'wrong_length' | 'keys_unsorted' | 'wrong_code';

/** The end of a shard of `count` rows that starts here, or what is wrong with it. */
export function readShard({ bytes, start, count }: Shard): number | ShardFault {
  const codes = start + count * KEY_BYTES;
  if (codes + count > bytes.length) return 'wrong_length';
  for (let index = 1; index < count; index += 1) {
    const at = start + index * KEY_BYTES;
    if (compareKeys(bytes, at - KEY_BYTES, bytes, at) >= 0) return 'keys_unsorted';
  }
  let tags = 0;
  for (let index = 0; index < count; index += 1) {
    const code = bytes[codes + index] ?? 0;
    if (!isCodeNumber(code)) return 'wrong_code';
    if (hasTag(code)) tags += 1;
  }
  const end = codes + count + tags * KEY_BYTES;
  return end > bytes.length ? 'wrong_length' : end;
}

/** The index of a key, or -1. */
export function findKey({ bytes, start, count }: Shard, key: Buffer): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = compareKeys(bytes, start + middle * KEY_BYTES, key, 0);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Counts the tags before it, byte by byte: a shard of a file with a million rows has about 3,900. */
export function rowAt({ bytes, start, count }: Shard, index: number): Row {
  const codes = start + count * KEY_BYTES;
  const code = bytes[codes + index] ?? 0;
  if (!hasTag(code)) return { code, tag: null };
  let before = 0;
  for (let at = codes; at < codes + index; at += 1) if (hasTag(bytes[at] ?? 0)) before += 1;
  const tag = codes + count + before * KEY_BYTES;
  return { code, tag: bytes.subarray(tag, tag + KEY_BYTES) };
}

/** Passes every row of a shard, in order, with the places of its key and its tag. */
export interface ShardCursor {
  /** False after the last row. */
  readonly isOpen: boolean;
  readonly keyAt: number;
  readonly code: number;
  /** Meaningless for a code without one. */
  readonly tagAt: number;
  next(): void;
}

export function shardCursor({ bytes, start, count }: Shard): ShardCursor {
  const codes = start + count * KEY_BYTES;
  let index = 0;
  let tagAt = codes + count;
  return {
    get isOpen() {
      return index < count;
    },
    get keyAt() {
      return start + index * KEY_BYTES;
    },
    get code() {
      return bytes[codes + index] ?? 0;
    },
    get tagAt() {
      return tagAt;
    },
    next() {
      if (hasTag(bytes[codes + index] ?? 0)) tagAt += KEY_BYTES;
      index += 1;
    },
  };
}

export interface ShardWriter {
  readonly count: number;
  /** Rows come in the order of their keys. */
  add(keys: Buffer, keyAt: number, code: number, tags: Buffer, tagAt: number): void;
  bytes(): Buffer;
}

export function shardWriter(rowsMax: number): ShardWriter {
  const keys = Buffer.alloc(rowsMax * KEY_BYTES);
  const codes = Buffer.alloc(rowsMax);
  const tags = Buffer.alloc(rowsMax * KEY_BYTES);
  let count = 0;
  let tagged = 0;
  return {
    get count() {
      return count;
    },
    add(from, keyAt, code, fromTags, tagAt) {
      from.copy(keys, count * KEY_BYTES, keyAt, keyAt + KEY_BYTES);
      codes[count] = code;
      count += 1;
      if (!hasTag(code)) return;
      fromTags.copy(tags, tagged * KEY_BYTES, tagAt, tagAt + KEY_BYTES);
      tagged += 1;
    },
    bytes: () =>
      Buffer.concat([
        keys.subarray(0, count * KEY_BYTES),
        codes.subarray(0, count),
        tags.subarray(0, tagged * KEY_BYTES),
      ]),
  };
}

/** As numbers: a call of Buffer.compare takes ten times as long. */
export function compareKeys(left: Buffer, leftAt: number, right: Buffer, rightAt: number): number {
  const high = left.readUInt32BE(leftAt) - right.readUInt32BE(rightAt);
  return high === 0 ? left.readUInt32BE(leftAt + 4) - right.readUInt32BE(rightAt + 4) : high;
}
