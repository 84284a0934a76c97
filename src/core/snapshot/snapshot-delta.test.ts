import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileOf, signedOf, snapshotOf } from '../../../tools/samples/snapshots.ts';
import { applyDelta, makeDelta } from './snapshot-delta.ts';
import type { Snapshot } from './snapshot-file.ts';
import { snapshotKey } from './snapshot-key.ts';
import type { SnapshotRow } from './snapshot-rows.ts';

function row(n: number, code = 1, terms = n): SnapshotRow {
  const key = snapshotKey({ method: 'GET', url: `https://a.example/${n}` });
  return { key, code, tag: code === 1 ? hash('sha256', `terms ${terms}`, 'buffer').subarray(0, 8) : null };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const bytesOf = (result: Snapshot | string) => (typeof result === 'string' ? result : result.bytes);

function deltaOf(from: Snapshot, to: Snapshot): Buffer {
  const steps = makeDelta(from, to);
  for (;;) {
    const { value, done } = steps.next();
    if (done === true) return value;
  }
}

const isSame = (result: Snapshot | string, file: Buffer) =>
  typeof result !== 'string' && result.bytes.equals(file);

const HEAD_BYTES = fileOf([]).length;
const OLD = snapshotOf(range(0, 3_000).map((n) => row(n)));
/** 100 gone, 200 with other terms, 60 to be skipped now, 80 new. */
const NEW_ROWS = [
  ...range(100, 300).map((n) => row(n, 1, n + 1)),
  ...range(300, 360).map((n) => row(n, 18)),
  ...range(360, 3_080).map((n) => row(n)),
];
const NEXT = snapshotOf(NEW_ROWS, 'run-2');

/** With the signed head and so many new rows, all of them in the first shard. */
function craftedDelta(upserts: number, removals: number): Buffer {
  const [from, to] = [OLD, NEXT].map(({ bytes }) => hash('sha256', bytes, 'hex'));
  const lines = `assay snapshot delta v1\n${from}\n${to}\n${removals} ${upserts}\n`;
  const keys = Buffer.alloc((removals + upserts) * 8);
  for (let n = 0; n < removals + upserts; n += 1) keys.writeUInt32BE(n, n * 8 + 4);
  const head = NEXT.bytes.subarray(0, HEAD_BYTES);
  return Buffer.concat([Buffer.from(lines), head, keys, Buffer.alloc(upserts, 21)]);
}

describe('a delta', () => {
  it('gives the new file byte for byte, and is small', () => {
    const delta = deltaOf(OLD, NEXT);
    const result = applyDelta(OLD, delta, signedOf(NEXT));
    expect(bytesOf(result)).toEqual(fileOf(NEW_ROWS, 'run-2'));
    expect(delta.length).toBeLessThan(HEAD_BYTES + 200 + 100 * 8 + (200 + 80) * 17 + 60 * 9);
  });

  it('holds nothing when nothing changed but the run', () => {
    const same = range(0, 3_000).map((n) => row(n));
    const next = snapshotOf(same, 'run-2');
    const delta = deltaOf(OLD, next);
    expect(delta.length).toBeLessThan(HEAD_BYTES + 200);
    expect(bytesOf(applyDelta(OLD, delta, signedOf(next)))).toEqual(fileOf(same, 'run-2'));
  });

  it('leads from any file to any other (property)', () => {
    const someRows = fc
      .uniqueArray(fc.tuple(fc.nat(60), fc.constantFrom(1, 16, 65), fc.nat(3)), { selector: ([n]) => n })
      .map((all) => all.map(([n, code, terms]) => row(n, code, terms)));
    fc.assert(
      fc.property(someRows, someRows, (before, after) => {
        const [from, to] = [snapshotOf(before), snapshotOf(after, 'run-2')];
        const result = applyDelta(from, deltaOf(from, to), signedOf(to));
        expect(isSame(result, fileOf(after, 'run-2'))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is refused for any other file than its base', () => {
    const other = snapshotOf(range(0, 2_999).map((n) => row(n)));
    expect(applyDelta(other, deltaOf(OLD, NEXT), signedOf(NEXT))).toBe('wrong_base');
  });

  it('is refused where another file than its own was signed', () => {
    const delta = deltaOf(OLD, NEXT);
    const other = signedOf(snapshotOf(NEW_ROWS, 'run-3'));
    expect(applyDelta(OLD, delta, other)).toBe('wrong_result');
    expect(applyDelta(OLD, delta, { ...other, sha256: signedOf(NEXT).sha256 })).toBe('wrong_head');
  });

  it.each<[string, (delta: Buffer) => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['no head', (delta) => delta.subarray(0, 300)],
    ['a byte too few', (delta) => delta.subarray(0, -1)],
    ['a byte too many', (delta) => Buffer.concat([delta, Buffer.of(0)])],
    ['64 MB and more', () => Buffer.alloc(64_100_000)],
  ])('is refused with %s', (_, change) => {
    const delta = deltaOf(OLD, NEXT);
    expect(bytesOf(applyDelta(OLD, change(delta), signedOf(NEXT)))).toMatch(/^[a-z_]+$/);
  });

  it.each<[string, number, number, string]>([
    // Their number says it: not one of them is read.
    ['more rows than the signed file has', NEW_ROWS.length + 1, 0, 'wrong_delta'],
    ['more removed keys than there are rows', 0, 3_001, 'wrong_delta'],
    ['more rows than the head has for a shard', NEW_ROWS.length, 0, 'wrong_result'],
    ['fewer rows than the head has for a shard', 0, 0, 'wrong_result'],
  ])('is refused with %s', (_, upserts, removals, fault) => {
    expect(applyDelta(OLD, craftedDelta(upserts, removals), signedOf(NEXT))).toBe(fault);
  });

  it('is refused with a flipped bit anywhere', () => {
    const from = snapshotOf(range(0, 40).map((n) => row(n)));
    const to = snapshotOf(
      range(9, 49).map((n) => row(n, n % 3 === 0 ? 16 : 1)),
      'run-2',
    );
    const [delta, signed] = [deltaOf(from, to), signedOf(to)];
    const applied: number[] = [];
    const table = HEAD_BYTES;
    for (let at = 0; at < delta.length; at += at > 200 && at < table ? 11 : 1) {
      const bit = 1 << (at % 8);
      delta[at] = (delta[at] ?? 0) ^ bit;
      if (typeof applyDelta(from, delta, signed) !== 'string') applied.push(at);
      delta[at] = (delta[at] ?? 0) ^ bit;
    }
    expect(applied).toEqual([]);
    expect(typeof applyDelta(from, delta, signed)).toBe('object');
  });
});
