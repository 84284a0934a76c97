import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyIn, copyOut } from '../../../src/adapters/store/backup.ts';
import type { Store } from '../../../src/adapters/store/store.ts';
import { applyDelta } from '../../../src/core/snapshot/snapshot-delta.ts';
import { findInSnapshot, type Snapshot } from '../../../src/core/snapshot/snapshot-file.ts';
import { snapshotKey } from '../../../src/core/snapshot/snapshot-key.ts';
import { keepSnapshot } from '../../../src/flows/snapshot/keep-snapshot.ts';
import { makeSnapshot, remakeSnapshot } from '../../../src/flows/snapshot/make-snapshot.ts';
import type { CrawlRow } from '../../../src/ports/crawl-runs.ts';
import { THIEF } from '../../../tools/samples/challenge.ts';
import { crawlId, published } from '../../../tools/samples/crawl-rows.ts';
import { signedOf } from '../../../tools/samples/snapshots.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { seededSigner } from '../../support/log/seeded-signer.ts';
import { appendAll, FIRST_EPOCH } from '../../support/log/test-log.ts';
import {
  ORIGIN,
  payRow,
  publishedFile,
  SIGNER,
  snapshotPorts,
} from '../../support/snapshot/snapshot-world.ts';
import { useEmptyPostgres } from '../../support/storing/postgres-places.ts';
import { type NewPlace, newEmptySqlitePlace, type Place } from '../../support/storing/stores.ts';

const newPostgres = useEmptyPostgres();
const ENGINES: readonly [string, NewPlace][] = [
  ['SQLite', newEmptySqlitePlace],
  ['PostgreSQL', () => newPostgres()],
];

const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => payRow(from + n));
/** Ids of receipts are unique among runs. */
const ofRun = (run: number, all: readonly CrawlRow[]): CrawlRow[] =>
  all.map(({ urlKey, receipt }, n) => ({ urlKey, receipt: { ...receipt, id: crawlId(run * 100_000 + n) } }));
const keyOf = (url: string) => snapshotKey({ method: 'GET', url });
const urlOf = (n: number) => payRow(n).receipt.url;
const has = (snapshot: Snapshot, n: number) => findInSnapshot(snapshot, keyOf(urlOf(n))) !== null;

describe.each(ENGINES)('the snapshot of a run on %s', (_, newPlace) => {
  let place: Place;
  let store: Store;

  beforeEach(async () => {
    place = await newPlace();
    store = await place.open();
  });
  afterEach(() => place.remove());

  const make = () => makeSnapshot(snapshotPorts(store));
  const file = (sha256?: string) => publishedFile(store.snapshots, sha256);

  it('is not made before there is a run', async () => {
    expect(await make()).toEqual({ kind: 'no_run' });
    expect(await remakeSnapshot(snapshotPorts(store))).toEqual({ kind: 'no_run' });
    expect(await store.snapshots.latest()).toBeNull();
  });

  it('has every row, and no key of a URL that is not shown', async () => {
    const hidden = 'https://a.example/x?api_key=REDACTED';
    await published(store.runs, 'run-1', [
      ...rows(1, 2_500),
      payRow(2_500, { url: hidden }),
      payRow(2_501, { verdict: 'skip', code: 'pay_to_mismatch', payTo: THIEF }),
    ]);
    expect(await make()).toMatchObject({ kind: 'made', snapshot: { runId: 'run-1', size: 2_500 } });
    const snapshot = await file();
    const missing = rows(1, 2_500).filter(
      ({ receipt }) => findInSnapshot(snapshot, keyOf(receipt.url)) === null,
    );
    expect(missing).toEqual([]);
    expect(findInSnapshot(snapshot, keyOf(urlOf(2_501)))).toMatchObject({ code: 'pay_to_mismatch' });
    expect(findInSnapshot(snapshot, keyOf(hidden))).toBeNull();
    expect(await make()).toMatchObject({ kind: 'there' });
  });

  it('comes with a delta from the one before, which gives it byte for byte', async () => {
    await published(store.runs, 'run-1', rows(1, 300), 1);
    await make();
    const first = await file();
    const before = await store.snapshots.latest();
    const next = [...rows(20, 290), payRow(290, { payTo: THIEF }), payRow(999)];
    await published(store.runs, 'run-2', ofRun(2, next), 2);
    await make();
    const now = await store.snapshots.latest();
    expect(now).toMatchObject({ runId: 'run-2', deltaFrom: before?.sha256 });
    const delta = await store.snapshots.part(now?.sha256 ?? '', 'delta');
    const second = await file();
    const result = applyDelta(first, delta ?? Buffer.alloc(0), signedOf(second));
    expect(typeof result === 'string' ? result : result.bytes.equals(second.bytes)).toBe(true);

    await published(store.runs, 'run-3', ofRun(3, rows(1, 9)), 3);
    await make();
    expect(await store.snapshots.find(before?.sha256 ?? '')).toBeNull();
    expect(await store.snapshots.find(now?.sha256 ?? '')).not.toBeNull();
  });

  it('is signed again when the key is another', async () => {
    await published(store.runs, 'run-1', rows(1, 9));
    await make();
    const other = seededSigner(ORIGIN, 1, 'another seed');
    expect(await makeSnapshot(snapshotPorts(store, { signer: other }))).toMatchObject({ kind: 'made' });
    expect((await publishedFile(store.snapshots, undefined, other)).size).toBe(8);
    await expect(publishedFile(store.snapshots, undefined, SIGNER)).rejects.toThrow('unsigned');
  });

  it('is stopped between two steps, and made the next time', async () => {
    await published(store.runs, 'run-1', rows(1, 9));
    expect(await makeSnapshot(snapshotPorts(store, { isStopped: () => true }))).toEqual({ kind: 'stopped' });
    expect(await make()).toMatchObject({ kind: 'made' });
  });

  it('is made by one of several processes', async () => {
    await published(store.runs, 'run-1', rows(1, 99));
    const others = [store, await place.open(), await place.open()];
    const made = await Promise.all(
      others.map((one, n) =>
        keepSnapshot({
          ...snapshotPorts(one),
          jobs: one.jobs,
          log: one.transparencyLog,
          now: () => NOON,
          newId: () => `holder ${n}`,
        }),
      ),
    );
    expect(made.filter(({ kind }) => kind === 'made')).toHaveLength(1);
    expect((await file()).size).toBe(98);
    // The log says which one it is, once.
    const { manifest } = (await store.snapshots.latest()) ?? { manifest: '' };
    const { transparencyLog: log } = store;
    expect(await log.backlog()).toMatchObject({ entries: 1 });
    await log.open(FIRST_EPOCH);
    await appendAll(log);
    const hash = createHash('sha256').update(manifest).digest();
    expect(await log.place(`snapshot:${hash.toString('hex')}`)).toMatchObject({
      entry: `assay snapshot v1\nrun-1\n${hash.toString('base64')}\n`,
    });
  });

  it('lacks what was withdrawn once it is made again, and so does everything else that is served', async () => {
    await published(store.runs, 'run-1', rows(1, 50), 1);
    await make();
    await published(store.runs, 'run-2', ofRun(2, rows(1, 60)), 2);
    await make();
    await place.ask(`delete from crawl_receipts where run_id = 'run-2' and url = '${urlOf(7)}'`);
    expect(await remakeSnapshot(snapshotPorts(store))).toMatchObject({ kind: 'made' });
    const snapshot = await file();
    expect([has(snapshot, 6), has(snapshot, 7), has(snapshot, 8)]).toEqual([true, false, true]);
    expect(await place.ask('select sha256 from snapshots')).toHaveLength(1);
    expect(await place.ask('select part from snapshot_parts')).toHaveLength(257);
    expect(await make()).toMatchObject({ kind: 'there', snapshot: { deltaFrom: null } });
  });

  it('is not published when it was begun before something was withdrawn', async () => {
    await published(store.runs, 'run-1', rows(1, 50));
    let steps = 0;
    const pause = async () => {
      steps += 1;
      if (steps !== 2) return;
      await place.ask(`delete from crawl_receipts where url = '${urlOf(7)}'`);
      await remakeSnapshot(snapshotPorts(store));
    };
    expect(await makeSnapshot(snapshotPorts(store, { pause }))).toEqual({ kind: 'overtaken' });
    expect(has(await file(), 7)).toBe(false);
    expect(await place.ask('select sha256 from snapshots')).toHaveLength(1);
  });

  it('is in no backup, and the same is made again after a restore', async () => {
    await published(store.runs, 'run-1', rows(1, 50));
    await make();
    const before = await store.snapshots.latest();
    const lines: Parameters<Parameters<typeof copyOut>[1]>[0][] = [];
    const connected = await place.connect();
    await copyOut(connected, async (line) => {
      lines.push(line);
    });
    await connected.database.destroy();
    const restored = await newPlace();
    const target = await restored.connect();
    await copyIn(
      target,
      (async function* () {
        yield* lines;
      })(),
    );
    await target.database.destroy();
    const again = await restored.open();
    expect(await again.snapshots.latest()).toBeNull();
    expect(await makeSnapshot(snapshotPorts(again))).toMatchObject({ kind: 'made' });
    expect(await again.snapshots.latest()).toEqual(before);
    await restored.remove();
  });
});
