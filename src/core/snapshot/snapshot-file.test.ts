import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aCrawlReceipt } from '../../../tools/samples/crawl-rows.ts';
import { CRAWLED_AT, fileOf, snapshotOf } from '../../../tools/samples/snapshots.ts';
import { findInSnapshot, readSnapshot, type SnapshotFault } from './snapshot-file.ts';
import { type SnapshotEndpoint, snapshotKey } from './snapshot-key.ts';
import { snapshotRowOf } from './snapshot-row-of.ts';
import type { SnapshotRow } from './snapshot-rows.ts';

const CODES = [1, 16, 1, 26, 65, 1, 120] as const;
const urlOf = (n: number) => `https://host-${n % 97}.example/${n}`;
const keyOf = (n: number) => snapshotKey({ method: 'GET', url: urlOf(n) });
const tagOf = (n: number) => hash('sha256', `tag ${n}`, 'buffer').subarray(0, 8);

function rowOf(n: number): SnapshotRow {
  const code = CODES[n % CODES.length] ?? 1;
  return { key: keyOf(n), code, tag: code === 1 ? tagOf(n) : null };
}

const rows = (count: number) => Array.from({ length: count }, (_, n) => rowOf(n));

describe('a snapshot', () => {
  it('finds every row with its code and its tag, and nothing else in a million tries', () => {
    const snapshot = snapshotOf(rows(20_000));
    expect(snapshot.size).toBe(20_000);
    const wrong = rows(20_000).filter(({ key, code, tag }) => {
      const found = findInSnapshot(snapshot, key);
      if (code === 120) return found !== null;
      return found === null || (tag === null ? found.tag !== null : found.tag?.equals(tag) !== true);
    });
    expect(wrong).toEqual([]);
    expect(findInSnapshot(snapshot, keyOf(1))).toEqual({
      verdict: 'skip',
      code: 'price_mismatch',
      tag: null,
    });
    let falselyFound = 0;
    for (let block = 0; block < 250_000; block += 1) {
      const digest = hash('sha256', `unknown ${block}`, 'buffer');
      for (let at = 0; at < 32; at += 8) {
        if (findInSnapshot(snapshot, digest.subarray(at, at + 8)) !== null) falselyFound += 1;
      }
    }
    expect(falselyFound).toBe(0);
  });

  it('takes 9 bytes a row, 8 more for each that may be paid, and less than 10 kB for all', () => {
    const pays = rows(7_000).filter(({ tag }) => tag !== null).length;
    const head = fileOf(rows(7_000)).length - 7_000 * 9 - pays * 8;
    expect(pays).toBe(3_000);
    expect(head).toBe(fileOf([]).length);
    expect(head).toBeLessThan(10_000);
  });

  it('is the same file for the same rows in any order', () => {
    expect(fileOf(rows(500).toReversed()).equals(fileOf(rows(500)))).toBe(true);
  });

  it('leaves out endpoints whose keys are equal, all of them', () => {
    const same = Buffer.from('0102030405060708', 'hex');
    const keyFor = ({ url }: SnapshotEndpoint) => (url.endsWith('twin') ? same : keyOf(url.length));
    const row = (path: string) => {
      const made = snapshotRowOf(aCrawlReceipt({ url: `https://a.example/${path}` }), keyFor);
      if (made === null) throw new Error('no row');
      return made;
    };
    const snapshot = snapshotOf(['1/twin', 'single', '2/twin', 'another', '3/twin'].map(row));
    expect(snapshot.size).toBe(2);
    expect(findInSnapshot(snapshot, same)).toBeNull();
    expect(findInSnapshot(snapshot, row('single').key)?.code).toBe('price_mismatch');
  });

  it('lets a client check one shard with the table alone', () => {
    const { head, shards, bytes } = snapshotOf(rows(3_000));
    const [shard, next] = [shards[200], shards[201]];
    const sha256 = hash('sha256', bytes.subarray(shard?.start, next?.start), 'hex');
    expect(head.shards[200]?.sha256.toString('hex')).toBe(sha256);
    expect(head.shards[200]?.count).toBe(rows(3_000).filter(({ key }) => key[0] === 200).length);
    expect(head).toMatchObject({ runId: 'run-1', crawledAt: CRAWLED_AT });
  });
});

/** Where the shards of a file with rows begin. */
const HEAD_BYTES = fileOf([]).length;
const LINES_BYTES = HEAD_BYTES - 256 * 36;

/** A file that has a valid table for whatever is done to its first shard with rows. */
function fileWith(change: (shard: Buffer, rows: number) => void): Buffer {
  const file = fileOf(rows(2_000));
  const snapshot = readSnapshot(file);
  if (typeof snapshot === 'string') throw new Error(snapshot);
  const [start, end] = [snapshot.shards[5]?.start ?? 0, snapshot.shards[6]?.start ?? 0];
  change(file.subarray(start, end), snapshot.head.shards[5]?.count ?? 0);
  hash('sha256', file.subarray(start, end), 'buffer').copy(file, LINES_BYTES + 5 * 36 + 4);
  return file;
}

describe('a hostile file', () => {
  it.each<[string, Buffer, SnapshotFault]>([
    ['nothing', Buffer.alloc(0), 'wrong_head'],
    ['another format', Buffer.from('assay snapshot v2\nrun-1\n'), 'wrong_head'],
    ['a head that ends early', fileOf([]).subarray(0, HEAD_BYTES - 1), 'wrong_head'],
    ['a byte too few', fileOf(rows(9)).subarray(0, -1), 'wrong_length'],
    ['a byte too many', Buffer.concat([fileOf(rows(9)), Buffer.of(0)]), 'wrong_length'],
    ['64 MB', Buffer.alloc(64_000_001), 'too_long'],
    ['keys out of order', fileWith((shard) => shard.copyWithin(0, 8, 16)), 'keys_unsorted'],
    ['a code of nothing', fileWith((shard, count) => shard.fill(0, count * 8, count * 8 + 1)), 'wrong_code'],
    ['a key of another shard', fileWith((shard) => shard.fill(4, 0, 1)), 'wrong_shard'],
  ])('is refused: %s', (_, file, fault) => {
    expect(readSnapshot(file)).toBe(fault);
  });

  it('is refused with counts that no file can hold', () => {
    const file = fileOf(rows(9));
    for (let shard = 0; shard < 256; shard += 1) file.writeUInt32BE(0xffffffff, LINES_BYTES + shard * 36);
    expect(readSnapshot(file)).toBe('wrong_head');
  });

  it('is refused with a flipped bit anywhere in its table or its rows', () => {
    const file = fileOf(rows(60));
    const read: number[] = [];
    for (let at = LINES_BYTES; at < file.length; at += at < HEAD_BYTES ? 7 : 1) {
      const bit = 1 << (at % 8);
      file[at] = (file[at] ?? 0) ^ bit;
      if (typeof readSnapshot(file) !== 'string') read.push(at);
      file[at] = (file[at] ?? 0) ^ bit;
    }
    expect(read).toEqual([]);
    expect(readSnapshot(file)).toMatchObject({ size: 60 });
  });
});
