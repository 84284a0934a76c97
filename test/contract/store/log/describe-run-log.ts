import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { runTree } from '../../../../src/core/log/run-tree.ts';
import { tilesOf } from '../../../../src/core/log/tile.ts';
import { readRunStatement } from '../../../../src/core/statement/run-statement.ts';
import { aRun, crawlId, crawlRow, NO_PAGES, unpublished } from '../../../../tools/samples/crawl-rows.ts';
import { appendAll, ORIGIN, rootOfEntries, testKeeper } from '../../../support/log/test-log.ts';
import {
  expectedEntries,
  publishAsCrawl,
  publishLogged,
  statedRows,
  testRunLog,
} from '../../../support/log/test-runs.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const RUN = 'run';
const TREE = runTree(RUN);
const HEAD = { origin: ORIGIN, key: '', size: 1, root: Buffer.alloc(32), checkpoint: 'none\n' };
const LOGGED = { head: { ...HEAD, tree: TREE }, statement: '{}', entry: { id: TREE, entry: 'run\n' } };

/** It gives up rather than answer wrongly. */
function isTooBusy(fault: unknown): null {
  expect(String(fault)).toContain('being withdrawn all the time');
  return null;
}

/** So many that full tiles are written. */
const MANY = Array.from({ length: 70_000 }, (_, at) => `statement ${at}`);

/** What every store promises about the trees of runs. */
export function describeRunLog(name: string, newPlace: NewPlace): void {
  describe(`the trees of runs on ${name}`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
    });
    afterEach(() => place.remove());

    const tiles = () => place.ask(`select level, n from log_tiles where tree = '${TREE}' order by level, n`);
    const everything = async () => [
      await store.transparencyLog.head(TREE),
      await store.transparencyLog.place(TREE),
      await store.transparencyLog.runStatement(RUN),
      await store.transparencyLog.runEntries(RUN, 0, 9),
      await store.transparencyLog.runHeads(),
    ];
    const NOTHING = [null, null, null, [], []];

    it('has the head, the statement and the entry of a run as soon as it is published', async () => {
      await unpublished(store.runs, RUN, statedRows(300));
      expect(await everything()).toEqual(NOTHING);
      await publishAsCrawl(store.runs, RUN, testRunLog(store));
      const { transparencyLog: log } = store;
      const entries = await expectedEntries(store.runs, RUN);
      const head = await log.head(TREE);
      expect(head).toMatchObject({ tree: TREE, origin: `${ORIGIN}/run/${RUN}`, size: 300, cosigned: null });
      expect(head?.published).toEqual({ size: 300, note: head?.checkpoint });
      expect(Buffer.from(head?.root ?? [])).toEqual(Buffer.from(rootOfEntries(entries)));
      const statement = (await log.runStatement(RUN)) ?? '';
      expect(readRunStatement(statement)).toMatchObject({ id: RUN, size: 300, root: head?.root });
      expect(await log.place(TREE)).toBe('waiting');
      expect((await log.runHeads()).map(({ tree }) => tree)).toEqual([TREE]);
      expect((await log.epochs()).map(({ tree }) => tree)).toEqual(['1']);
    });

    it('gives every entry and every place, from any place on', async () => {
      await publishLogged(store, RUN, 1_300);
      const { transparencyLog: log } = store;
      const expected = await expectedEntries(store.runs, RUN);
      const starts = [0, 1, 255, 256, 499, 500, 501, 999, 1_000, 1_024, 1_299, 1_300, 1_500, 9_000];
      for (const from of starts) {
        for (const count of [0, 1, 2, 256, 700, 2_000]) {
          const found = await log.entries(TREE, from, count);
          const wanted = expected.slice(from, from + count);
          expect(found).toEqual(wanted.map(({ entry }, at) => ({ tree: TREE, index: from + at, entry })));
        }
      }
      for (const [index, { id }] of expected.entries()) {
        expect(await log.placeInRun(id)).toEqual({ runId: RUN, index });
      }
      expect(await log.placeInRun(crawlId(5_000))).toBeNull();
      expect(await log.runEntries('another', 0, 9)).toEqual([]);
    });

    const AROUND_PAGES = [0, 1, 250, 498, 499, 500, 501, 777, 999, 1_000, 1_298, 1_299];
    const WHOLE_PAGE = Array.from({ length: 500 }, (_, at) => 500 + at);
    it.each<[string, readonly number[]]>([
      ['the first one', [0]],
      ['the last one', [1_299]],
      ['those around the borders of pages', AROUND_PAGES],
      ['a whole page', WHOLE_PAGE],
      ['a whole page and what is around it', [...new Set([...AROUND_PAGES, ...WHOLE_PAGE])]],
    ])('keeps every entry and every place after the withdrawal of %s', async (_, withdrawn) => {
      await publishLogged(store, RUN, 1_300);
      const expected = await expectedEntries(store.runs, RUN);
      const { database } = await place.connect();
      for (const seq of withdrawn) {
        const { id = '', sha256 = '' } = expected[seq] ?? {};
        await database.deleteFrom('crawl_receipts').where('id', '=', id).execute();
        const row = { id, sha256, because: 'legal', at: 0, run_id: RUN, seq };
        await database.insertInto('withdrawals').values(row).execute();
      }
      await database.destroy();
      const { transparencyLog: log } = store;
      for (const [index, { id }] of expected.entries()) {
        if (index % 9 !== 0 && !AROUND_PAGES.includes(index)) continue;
        expect(await log.placeInRun(id), id).toEqual({ runId: RUN, index });
      }
      for (const from of [0, 1, 256, 499, 500, 501, 998, 999, 1_000, 1_280, 1_299, 1_300]) {
        for (const count of [1, 20, 256, 1_024]) {
          const found = (await log.runEntries(RUN, from, count)).map((hash) =>
            Buffer.from(hash).toString('base64'),
          );
          expect(found, `${from} ${count}`).toEqual(
            expected.slice(from, from + count).map(({ sha256 }) => sha256),
          );
        }
      }
    });

    it('gives the same entries and places while receipts are being withdrawn', async () => {
      await publishLogged(store, RUN, 600);
      const expected = await expectedEntries(store.runs, RUN);
      const { database } = await place.connect();
      const { transparencyLog: log } = store;
      const state = { isOver: false };
      const withdrawing = (async () => {
        for (let at = 0; at < 200; at += 1) {
          const seq = (at * 7) % 600;
          const { id = '', sha256 = '' } = expected[seq] ?? {};
          await database.transaction().execute(async (queries) => {
            await queries.deleteFrom('crawl_receipts').where('id', '=', id).execute();
            const row = { id, sha256, because: 'legal', at: 0, run_id: RUN, seq };
            await queries.insertInto('withdrawals').values(row).execute();
          });
        }
        state.isOver = true;
      })();
      const wanted = expected.map(({ sha256 }) => sha256);
      let rounds = 0;
      for (; !state.isOver && rounds < 500; rounds += 1) {
        // On SQLite nothing here waits for the disk: without it the withdrawals would never have their turn.
        await nextTurn();
        const found = await log.runEntries(RUN, 0, 600).catch(isTooBusy);
        if (found !== null) expect(found.map((hash) => Buffer.from(hash).toString('base64'))).toEqual(wanted);
        const placed = await log.placeInRun(expected[598]?.id ?? '').catch(isTooBusy);
        if (placed !== null) expect(placed.index).toBe(598);
      }
      await withdrawing;
      await database.destroy();
      expect(rounds).toBeGreaterThan(3);
    });

    it('has no tree of a run with a row of an older release, nor its tiles', async () => {
      const runLog = testRunLog(store);
      await (await runLog.begin(RUN))?.add(MANY);
      expect((await tiles()).length).toBeGreaterThan(0);
      await unpublished(store.runs, RUN, [...statedRows(300), crawlRow(30_000)]);
      expect(await publishAsCrawl(store.runs, RUN, runLog)).toMatchObject({ kind: 'published' });
      expect(await everything()).toEqual(NOTHING);
      expect(await tiles()).toEqual([]);
      expect(await store.transparencyLog.placeInRun(crawlId(1))).toBeNull();
      expect(await store.runs.latest()).toMatchObject({ id: RUN });
    });

    it('has no tree of a run whose publisher has other keys than the log', async () => {
      await testKeeper(store.transparencyLog).keeper.open();
      await unpublished(store.runs, RUN, statedRows(3));
      const stranger = testRunLog(store, { secret: 'another secret' });
      expect(await publishAsCrawl(store.runs, RUN, stranger)).toMatchObject({ kind: 'published' });
      expect(await everything()).toEqual(NOTHING);
    });

    it('publishes all or nothing', async () => {
      await publishLogged(store, RUN, 3);
      await unpublished(store.runs, 'next', [{ ...crawlRow(50) }]);
      const entry = { id: 'run:next', entry: 'next\n' };
      // The head of this tree exists already.
      await expect(store.runs.publish(aRun('next'), NO_PAGES, { ...LOGGED, entry })).rejects.toThrow();
      expect(await store.runs.latest()).toMatchObject({ id: RUN });
      expect(await store.transparencyLog.place('run:next')).toBeNull();
      expect(await store.transparencyLog.runStatement('next')).toBeNull();
    });

    it('ends with one tree when the publisher crashed after it had written the tiles', async () => {
      await unpublished(store.runs, RUN, statedRows(700));
      const crashing = { ...store.runs, publish: () => Promise.reject(new Error('crash')) };
      await expect(publishAsCrawl(crashing, RUN, testRunLog(store))).rejects.toThrow('crash');
      expect((await tiles()).length).toBeGreaterThan(0);
      expect(await everything()).toEqual(NOTHING);
      // Another attempt may write others in their place.
      expect(await store.transparencyLog.tile(TREE, { level: 0, index: 0, width: 256 })).toBeNull();
      const other = await place.open();
      await publishAsCrawl(other.runs, RUN, testRunLog(other));
      // The crash came after the publication, and the job was not finished.
      await publishAsCrawl(other.runs, RUN, testRunLog(other));
      const { transparencyLog: log } = store;
      await appendAll(log);
      expect((await log.current())?.size).toBe(1);
      const head = await log.head(TREE);
      expect(Buffer.from(head?.root ?? [])).toEqual(
        Buffer.from(rootOfEntries(await expectedEntries(store.runs, RUN))),
      );
      const wanted = [...tilesOf(700)].map(({ level, index }) => [level, index]);
      expect((await tiles()).map(({ level, n }) => [Number(level), Number(n)])).toEqual(wanted);
    });

    it('drops the tiles that a larger attempt left, and those of a run that is discarded', async () => {
      const runLog = testRunLog(store);
      await (await runLog.begin(RUN))?.add(MANY);
      await publishLogged(store, RUN, 300, runLog);
      const wanted = [...tilesOf(300)].map(({ level, index }) => [level, index]);
      expect((await tiles()).map(({ level, n }) => [Number(level), Number(n)])).toEqual(wanted);
      await store.runs.begin('held', new Date(0));
      await (await runLog.begin('held'))?.add(MANY);
      const left = () => place.ask("select n from log_tiles where tree = 'run:held'");
      expect((await left()).length).toBeGreaterThan(0);
      await store.runs.discard('held', 100);
      expect(await left()).toEqual([]);
    });
  });
}
