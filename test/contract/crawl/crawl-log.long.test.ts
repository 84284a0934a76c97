import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import { runTree } from '../../../src/core/log/run-tree.ts';
import { readRunStatement } from '../../../src/core/statement/run-statement.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import { rebuildTree } from '../../../src/flows/log/rebuild-tree.ts';
import type { DiscoverySource } from '../../../src/ports/discovery.ts';
import {
  type CrawlWorld,
  generatedRows,
  listOf,
  startCrawlWorld,
} from '../../support/crawling/crawl-world.ts';
import { testKeeper } from '../../support/log/test-log.ts';
import { testRunLog } from '../../support/log/test-runs.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const ROWS = generatedRows(600, 30);
const SHA256 = 'cd'.repeat(32);

/** A list that has a hash. */
const HASHED: DiscoverySource = {
  name: 'first',
  async *read() {
    yield { kind: 'endpoints', endpoints: ROWS };
    const counts = { items: ROWS.length, leftOut: new Map(), announced: null };
    yield { kind: 'ended', outcome: { kind: 'read', cut: null, ...counts, sha256: SHA256 } };
  },
};

let place: Place;
let store: Store;
let world: CrawlWorld;
beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
  world = await startCrawlWorld([HASHED, listOf('second', ROWS.slice(0, 5), true)]);
});
afterEach(async () => {
  await world.close();
  await place.remove();
});

/** As if the leader had died: its lease is over. */
async function lapse(): Promise<void> {
  const { database } = await place.connect();
  await database.updateTable('jobs').set({ held_until: 0 }).execute();
  await database.destroy();
}

it('logs the run with the hashes of its lists, also after a crash between its tiles and its publication', async () => {
  const runLog = testRunLog(store);
  const crashing = { ...store.runs, publish: () => Promise.reject(new Error('crash')) };
  const leader = crawl({ always: true }, world.parts(store, { runs: crashing, runLog }));
  await expect(leader).rejects.toThrow('crash');
  await lapse();
  const crawled = await crawl({ always: true }, world.parts(store, { runLog }));
  if (crawled.kind !== 'published') throw new Error(crawled.kind);
  const { id, summary } = crawled.run;
  const { transparencyLog: log } = store;
  const statement = readRunStatement((await log.runStatement(id)) ?? '');
  expect(statement).toMatchObject({ id, size: ROWS.length, crawledAt: crawled.run.crawledAt });
  expect(statement?.sources).toEqual(
    new Map([
      ['first', { ok: true, items: ROWS.length, sha256: SHA256 }],
      ['second', { ok: false, items: null }],
    ]),
  );
  expect(statement?.summary).toMatchObject({ verdicts: summary.verdicts, lists: summary.lists });
  const head = await log.head(runTree(id));
  const root = await rebuildTree({ tree: runTree(id), size: ROWS.length }, log, async () => {});
  expect([head?.size, head?.root]).toEqual([ROWS.length, root]);
  await testKeeper(log).keeper.round();
  expect(await log.place(runTree(id))).toMatchObject({ tree: '1', index: 0 });
  expect(await log.runHeads()).toHaveLength(1);
});

it('publishes the run without a tree while the log belongs to other keys', async () => {
  await testKeeper(store.transparencyLog, { secret: 'of somebody else' }).keeper.open();
  const crawled = await crawl({ always: true }, world.parts(store, { runLog: testRunLog(store) }));
  if (crawled.kind !== 'published') throw new Error(crawled.kind);
  expect(await store.transparencyLog.runStatement(crawled.run.id)).toBeNull();
  expect(await store.transparencyLog.runHeads()).toEqual([]);
});
