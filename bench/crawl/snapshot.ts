import { microUsd } from '../../src/core/money/micro-usd.ts';
import { applyDelta, makeDelta } from '../../src/core/snapshot/snapshot-delta.ts';
import {
  type BuiltShard,
  findInSnapshot,
  headOf,
  readSnapshot,
  type Snapshot,
} from '../../src/core/snapshot/snapshot-file.ts';
import { snapshotKey } from '../../src/core/snapshot/snapshot-key.ts';
import { snapshotRowOf } from '../../src/core/snapshot/snapshot-row-of.ts';
import { SHARDS, snapshotRows } from '../../src/core/snapshot/snapshot-rows.ts';
import { median } from '../../tools/measure.ts';
import { PAYEE } from '../../tools/samples/challenge.ts';
import { aCrawlReceipt } from '../../tools/samples/crawl-rows.ts';
import { signedOf } from '../../tools/samples/snapshots.ts';
import type { Finding, Report } from '../report/findings.ts';

/** A million endpoints: what it takes to make the file, to read it, and to look one up. */
const ROWS = 1_000_000;
const LOOK_UPS = 20_000;
/** Of a hundred endpoints, six in ten may be paid. */
const PAYS = 60;
/** Twelve of a hundred rows change in a week, and two are new. */
const CHANGED = 12;
const NEW = 2;

const urlOf = (n: number) => `https://host-${n % 9_973}.example/api/v1/resource/${n}`;

function receiptOf(n: number, week: number) {
  const isPay = n % 100 < PAYS;
  const quotedPrice = microUsd(BigInt(10_000 + (n % 100 < CHANGED ? week : 0)));
  return aCrawlReceipt({
    url: urlOf(n),
    payTo: PAYEE,
    quotedPrice,
    ...(isPay ? ({ verdict: 'pay', code: 'price_ok' } as const) : {}),
  });
}

interface Made {
  readonly snapshot: Snapshot;
  readonly seconds: number;
  /** The longest time for which nothing else ran. */
  readonly longestMs: number;
  readonly addedBytes: number;
}

/** The pure part of the flow, from receipts to the file. */
function make(week: number): Made {
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const rows = snapshotRows();
  const first = (week * ROWS * NEW) / 100;
  for (let n = first; n < first + ROWS; n += 1) {
    const row = snapshotRowOf(receiptOf(n, week));
    if (row !== null) rows.add(row);
  }
  let longestMs = 0;
  const shards: BuiltShard[] = [];
  for (let number = 0; number < SHARDS; number += 1) {
    const from = performance.now();
    shards.push(rows.shard(number));
    longestMs = Math.max(longestMs, performance.now() - from);
  }
  const head = headOf({ runId: `week-${week}`, crawledAt: new Date(0x19e00000000) }, shards);
  const file = Buffer.concat([head.bytes, ...shards.map(({ bytes }) => bytes)]);
  const seconds = (performance.now() - start) / 1_000;
  const addedBytes = process.memoryUsage().rss - before;
  return { snapshot: readWhole(file), seconds, longestMs, addedBytes };
}

function readWhole(file: Buffer): Snapshot {
  const snapshot = readSnapshot(file);
  if (typeof snapshot === 'string') throw new Error(`the file cannot be read: ${snapshot}`);
  return snapshot;
}

/** Beside a Map of the same keys, each with the hash of the URL. Every second URL is unknown, and not counted. */
function lookUpRow(snapshot: Snapshot): Finding {
  const map = new Map<bigint, number>();
  for (let n = 0; n < ROWS; n += 1) map.set(keyOf(n).readBigUInt64BE(), n);
  const [own, bare]: [number[], number[]] = [[], []];
  let found = 0;
  for (let at = 0; at < 2 * LOOK_UPS; at += 1) {
    const n = (at * 7_919) % ROWS;
    const known = at % 2 === 0 ? n : n + 10 * ROWS;
    const from = performance.now();
    const row = findInSnapshot(snapshot, keyOf(known));
    const between = performance.now();
    const value = map.get(keyOf(known).readBigUInt64BE());
    const end = performance.now();
    if ((row === null) !== (value === undefined)) throw new Error('the snapshot and the map differ');
    if (row !== null) found += 1;
    if (at < LOOK_UPS || row === null) continue;
    own.push((between - from) * 1_000);
    bare.push((end - between) * 1_000);
  }
  if (found !== LOOK_UPS) throw new Error(`found ${found} of ${LOOK_UPS}`);
  const [mine, theirs] = [median(own), median(bare)];
  return {
    what: 'a look-up, its hash included; bare is a Map of the same keys',
    measured: `${mine.toFixed(1)} µs`,
    bare: `${theirs.toFixed(1)} µs`,
    ratio: mine / theirs,
    bound: '<= 50 µs',
    kept: mine <= 50,
  };
}

const keyOf = (n: number) => snapshotKey({ method: 'GET', url: urlOf(n) });
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

export async function benchSnapshot(): Promise<Report> {
  const first = make(0);
  const { bytes } = first.snapshot;
  const readFrom = performance.now();
  readWhole(bytes);
  const readMs = performance.now() - readFrom;
  const lookUp = lookUpRow(first.snapshot);
  const second = make(1).snapshot;
  const steps = makeDelta(first.snapshot, second);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const delta = step.value;
  const applied = applyDelta(first.snapshot, delta, signedOf(second));
  const isSame = typeof applied !== 'string' && applied.bytes.equals(second.bytes);
  return {
    about: `A file of ${ROWS.toLocaleString('en')} endpoints, six in ten of them payable.`,
    findings: [
      lookUp,
      { what: 'the file', measured: mb(bytes.length), bound: '<= 20 MB', kept: bytes.length <= 20e6 },
      { what: 'making it from receipts, without the store', measured: `${first.seconds.toFixed(1)} s` },
      {
        what: 'memory for it, the file included',
        measured: mb(first.addedBytes),
        bound: '<= 150 MB',
        kept: first.addedBytes <= 150e6,
      },
      {
        what: 'the longest step between two turns of the event loop',
        measured: `${first.longestMs.toFixed(0)} ms`,
      },
      { what: 'reading and checking it', measured: `${readMs.toFixed(0)} ms` },
      {
        what: "a week's delta; it gives the new file byte for byte",
        measured: mb(delta.length),
        bare: mb(second.bytes.length),
        ratio: delta.length / second.bytes.length,
        kept: isSame,
      },
    ],
  };
}
