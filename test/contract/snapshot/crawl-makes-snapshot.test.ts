import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import { findInSnapshot } from '../../../src/core/snapshot/snapshot-file.ts';
import { snapshotKey } from '../../../src/core/snapshot/snapshot-key.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import { makeSnapshot } from '../../../src/flows/snapshot/make-snapshot.ts';
import {
  type CrawlWorld,
  generatedRows,
  KINDS,
  listOf,
  startCrawlWorld,
} from '../../support/crawling/crawl-world.ts';
import { publishedFile, snapshotPorts } from '../../support/snapshot/snapshot-world.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const ROWS = generatedRows(Object.keys(KINDS).length * 10, 9);
let place: Place;
let store: Store;
let world: CrawlWorld;

beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
  world = await startCrawlWorld([listOf('first', ROWS)]);
});
afterEach(async () => {
  await world.close();
  await place.remove();
});

it('a crawl makes the snapshot of its run, with the verdict of every URL', async () => {
  const afterPublishing = () => makeSnapshot(snapshotPorts(store));
  expect((await crawl({ always: true }, world.parts(store, { afterPublishing }))).kind).toBe('published');
  const snapshot = await publishedFile(store.snapshots);
  expect(snapshot.size).toBe(ROWS.length);
  const verdicts = ROWS.map(({ target }) => {
    const url = target.normalized;
    const kind = Object.entries(KINDS).find(([name]) => url.includes(`/${name}/`))?.[1];
    return [kind?.verdict, findInSnapshot(snapshot, snapshotKey({ method: 'GET', url }))?.verdict];
  });
  expect(verdicts.filter(([said, found]) => said !== found)).toEqual([]);
});

it('a crawl is finished and published even when no snapshot can be made', async () => {
  const afterPublishing = () => Promise.reject(new Error('the disk is full'));
  expect((await crawl({ always: true }, world.parts(store, { afterPublishing }))).kind).toBe('published');
  expect(await crawl({ always: false }, world.parts(store))).toEqual({ kind: 'not_due' });
  expect(await store.snapshots.latest()).toBeNull();
});
