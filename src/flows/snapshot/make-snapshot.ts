import type { NoteSigner } from '../../core/log/note.ts';
import type { CrawlPosition, CrawlRun } from '../../core/receipt/crawl-run.ts';
import { type SealedSnapshot, sealSnapshot } from '../../core/snapshot/seal-snapshot.ts';
import { makeDelta } from '../../core/snapshot/snapshot-delta.ts';
import { type BuiltShard, readSnapshot } from '../../core/snapshot/snapshot-file.ts';
import { snapshotRowOf } from '../../core/snapshot/snapshot-row-of.ts';
import { SHARDS, snapshotRows } from '../../core/snapshot/snapshot-rows.ts';
import { openManifest } from '../../core/snapshot/verify-snapshot.ts';
import type { CrawlRunStore } from '../../ports/crawl-runs.ts';
import type { Corrections } from '../../ports/log/corrections.ts';
import type { KeptSnapshot, SnapshotBytes, SnapshotStore } from '../../ports/snapshot/snapshots.ts';
import { wholeSnapshot } from './whole-snapshot.ts';

const STEP = 1_000;
/** Others publish and remove at the same time; each attempt starts from what is there then. */
const ATTEMPTS = 3;

export interface SnapshotPorts {
  readonly runs: Pick<CrawlRunStore, 'latest' | 'rows'>;
  readonly snapshots: SnapshotStore;
  readonly corrections: Pick<Corrections, 'newest'>;
  /** The key of the log; its name is the origin. */
  readonly signer: NoteSigner;
  /** A turn of the event loop: between steps other work goes on. */
  readonly pause: () => Promise<void>;
  readonly isStopped?: () => boolean;
}

export type MadeSnapshot =
  | { readonly kind: 'made' | 'there'; readonly snapshot: KeptSnapshot }
  | { readonly kind: 'no_run' }
  /** Another process published one meanwhile. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'stopped' };

/** Makes, signs and publishes the snapshot of the latest run, unless it is there. */
export async function makeSnapshot(ports: SnapshotPorts): Promise<MadeSnapshot> {
  const { runs, snapshots } = ports;
  const before = await snapshots.latest();
  const run = await runs.latest();
  if (run === null) return { kind: 'no_run' };
  if (before !== null && isOf(before, run, ports)) return { kind: 'there', snapshot: before };
  const sealed = await buildSnapshot(run, ports);
  if (sealed === null) return { kind: 'stopped' };
  const isSame = before?.sha256 === sealed.sha256;
  const delta = before === null || isSame ? null : await deltaFrom(before, sealed, ports);
  const deltaBase = isSame ? before.deltaFrom : delta === null ? null : before?.sha256;
  const snapshot = keptOf(run, sealed, deltaBase ?? null);
  await snapshots.add(sealed.sha256, partsOf(sealed, delta));
  const isPublished = await snapshots.publish(snapshot, before?.sha256 ?? null);
  return isPublished ? { kind: 'made', snapshot } : { kind: 'overtaken' };
}

/**
 * Makes the snapshot of the latest run from the rows that it has now and removes every other file and every delta: what was
 * withdrawn from the run, or corrected, is in none of them any more.
 */
export async function remakeSnapshot(ports: SnapshotPorts): Promise<MadeSnapshot> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const run = await ports.runs.latest();
    if (run === null) return { kind: 'no_run' };
    const sealed = await buildSnapshot(run, ports);
    if (sealed === null) return { kind: 'stopped' };
    const snapshot = keptOf(run, sealed, null);
    await ports.snapshots.add(sealed.sha256, partsOf(sealed, null));
    if (await ports.snapshots.replaceAll(snapshot)) return { kind: 'made', snapshot };
  }
  throw new Error('the snapshot could not be made again: others keep removing its parts');
}

/** Of this run, and signed with the key of today. */
function isOf({ runId, manifest }: KeptSnapshot, run: CrawlRun, { signer: { key } }: SnapshotPorts): boolean {
  return runId === run.id && typeof openManifest(manifest, key, key.name) !== 'string';
}

/** Null when it is stopped. */
async function buildSnapshot(
  run: CrawlRun,
  { runs, corrections, signer, pause, isStopped = () => false }: SnapshotPorts,
): Promise<SealedSnapshot | null> {
  const rows = snapshotRows();
  // Unknown to buyers, who then ask the service: a wrong `pay` must not stay one for two weeks, nor a wrong skip.
  const corrected = await everyCorrected(corrections);
  for (let after: CrawlPosition | null = null; ; ) {
    const step = await runs.rows(run.id, after, STEP);
    for (const { receipt } of step) {
      const row = corrected.has(receipt.id) ? null : snapshotRowOf(receipt);
      if (row !== null) rows.add(row);
    }
    const last = step.at(-1)?.receipt;
    if (last === undefined) break;
    after = { url: last.url, id: last.id };
    if (isStopped()) return null;
    await pause();
  }
  const shards: BuiltShard[] = [];
  for (let number = 0; number < SHARDS; number += 1) {
    shards.push(rows.shard(number));
    await pause();
  }
  return sealSnapshot({ runId: run.id, crawledAt: run.crawledAt }, shards, signer);
}

async function everyCorrected(corrections: SnapshotPorts['corrections']): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let read = 0; ; read += STEP) {
    const some = await corrections.newest(read, STEP);
    for (const { receiptId } of some) ids.add(receiptId);
    if (some.length < STEP) return ids;
  }
}

/** Null when the file before cannot be read, or when the delta would not be smaller than the file. */
async function deltaFrom(
  before: KeptSnapshot,
  { head, shards }: SealedSnapshot,
  { snapshots, pause }: SnapshotPorts,
): Promise<Buffer | null> {
  const bytes = await wholeSnapshot(before.sha256, snapshots);
  const from = bytes === null ? null : readSnapshot(bytes);
  const to = readSnapshot(Buffer.concat([head, ...shards]));
  if (typeof to === 'string') throw new Error(`the new snapshot cannot be read: ${to}`);
  if (from === null || typeof from === 'string') return null;
  const steps = makeDelta(from, to);
  for (;;) {
    const { value, done } = steps.next();
    if (done === true) return value.length < to.bytes.length ? value : null;
    await pause();
  }
}

function partsOf({ head, shards }: SealedSnapshot, delta: Buffer | null): readonly SnapshotBytes[] {
  return [
    { part: 'head', bytes: head },
    ...shards.map((bytes, part) => ({ part, bytes })),
    ...(delta === null ? [] : [{ part: 'delta' as const, bytes: delta }]),
  ];
}

function keptOf({ id, crawledAt }: CrawlRun, sealed: SealedSnapshot, deltaFrom: string | null): KeptSnapshot {
  const { sha256, expiresAt, size, manifest } = sealed;
  return { sha256, runId: id, crawledAt, expiresAt, size, manifest, deltaFrom };
}
