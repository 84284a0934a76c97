import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import { findInSnapshot } from '../../../src/core/snapshot/snapshot-file.ts';
import { snapshotKey } from '../../../src/core/snapshot/snapshot-key.ts';
import { manifestEntry } from '../../../src/core/snapshot/snapshot-manifest.ts';
import { makeSnapshot } from '../../../src/flows/snapshot/make-snapshot.ts';
import { epochSigner } from '../../../src/main/build/log-keys.ts';
import { runCorrect } from '../../../src/main/commands/log/correct.ts';
import { readConfig } from '../../../src/main/config/config.ts';
import { crawlId, published } from '../../../tools/samples/crawl-rows.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { operate } from '../../support/running/command-line.ts';
import { payRow, publishedFile, snapshotPorts } from '../../support/snapshot/snapshot-world.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const SECRET = 'a-secret-of-the-command';
let place: Place;
let store: Store;

beforeAll(async () => {
  place = await newSqlitePlace();
  store = await place.open();
  const skip = { verdict: 'skip', code: 'price_mismatch' } as const;
  await published(store.runs, 'run-1', [payRow(1), payRow(2), payRow(3, skip)]);
  await makeSnapshot(snapshotPorts(store, { signer: await signer() }));
});
afterAll(() => place.remove());

const environment = () => ({
  SECRET,
  DATA_DIR: dirname('file' in place.settings ? place.settings.file : ''),
});

async function signer() {
  const reading = readConfig(environment());
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  return epochSigner(store.transparencyLog, reading.config.transparency, SECRET);
}

const found = async () => {
  const snapshot = await publishedFile(store.snapshots, undefined, await signer());
  return [1, 2, 3].map((n) => {
    const key = snapshotKey({ method: 'GET', url: payRow(n).receipt.url });
    return findInSnapshot(snapshot, key)?.verdict ?? null;
  });
};

const correct = (n: number, is: string) =>
  operate(['correct', crawlId(n), '--verdict', is, '--because', 'a fault of ours'], (given, output) =>
    runCorrect(given, output, environment()),
  );

it('a corrected verdict is in no snapshot: buyers that read it ask the service', async () => {
  expect(await found()).toEqual(['pay', 'pay', 'skip']);
  expect(await correct(1, 'skip')).toMatchObject({ code: 0 });
  expect(await found()).toEqual([null, 'pay', 'skip']);
  expect(await correct(3, 'pay')).toMatchObject({ code: 0 });
  expect(await found()).toEqual([null, 'pay', null]);
  const latest = await store.snapshots.latest();
  const { id } = manifestEntry('run-1', latest?.manifest ?? '');
  expect(await store.transparencyLog.place(id)).toBe('waiting');
});

it('the command can be repeated when it died before the snapshot was made again', async () => {
  const told = { receiptId: crawlId(2), at: NOON, was: 'pay', because: 'a fault of ours' } as const;
  await store.corrections.add({ ...told, is: 'skip' });
  expect(await found()).toEqual([null, 'pay', null]);
  expect(await correct(2, 'skip')).toMatchObject({ code: 1 });
  expect(await found()).toEqual([null, null, null]);
});
