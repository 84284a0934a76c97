import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testKeeper } from '../../../test/support/log/test-log.ts';
import { newSqlitePlace, type Place } from '../../../test/support/storing/stores.ts';
import { crawlRow, published } from '../../../tools/samples/crawl-rows.ts';
import type { Store } from '../../adapters/store/store.ts';
import { beginEpoch } from '../../flows/log/begin-epoch.ts';
import { NO_KEYS } from '../../flows/log/log-keys.ts';
import { snapshotKeeper } from './snapshot-keeper.ts';

let place: Place;
let store: Store;

beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
  await published(store.runs, 'run', [crawlRow(1)]);
});
afterEach(() => place.remove());

const [former, current] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const keeperWith = (key: Uint8Array<ArrayBuffer>, oldKey: Uint8Array<ArrayBuffer> | null = null) =>
  snapshotKeeper(
    store,
    { transparency: { origin: 'log.example/log', isOriginSet: false, key, oldKey, policyFile: null } },
    'a secret',
  );

describe('the snapshot of a process', () => {
  it('is not made again and again by processes before and after a rotation of the key', async () => {
    await testKeeper(store.transparencyLog, { key: former }).keeper.round();
    expect((await keeperWith(former)()).kind).toBe('made');
    await testKeeper(store.transparencyLog, { key: current, oldKey: former }).keeper.round();
    expect((await keeperWith(current, former)()).kind).toBe('made');
    expect((await keeperWith(former)()).kind).toBe('made_elsewhere');
    expect((await keeperWith(current, former)()).kind).toBe('there');
  });

  it('is not signed for an epoch that the process has not opened', async () => {
    await testKeeper(store.transparencyLog, { key: former }).keeper.round();
    await beginEpoch(store.transparencyLog, NO_KEYS);
    expect((await keeperWith(former)()).kind).toBe('made_elsewhere');
    expect(await store.snapshots.latest()).toBeNull();
  });

  it('has an entry in the log for every manifest that was given out', async () => {
    const log = store.transparencyLog;
    await testKeeper(log, { key: former }).keeper.round();
    await keeperWith(former)();
    const before = await log.backlog();
    await testKeeper(log, { key: current, oldKey: former }).keeper.open();
    await keeperWith(current, former)();
    // The key that was added, and the manifest that it has signed.
    expect((await log.backlog()).entries).toBe(before.entries + 2);
  });
});
