import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rootOf } from '../../../../src/core/log/prove.ts';
import { hashLeaf } from '../../../../src/core/log/tree-hash.ts';
import { receiptEntry } from '../../../../src/core/statement/statement-hash.ts';
import { tileReader } from '../../../../src/flows/log/read-tiles.ts';
import type { LogStore } from '../../../../src/ports/log/transparency-log.ts';
import { aReceipt, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { naiveRoot } from '../../../support/log/naive-tree.ts';
import {
  anEntry,
  appendAll,
  entriesTo,
  FIRST_EPOCH,
  grow,
  ORIGIN,
  rootOfEntries,
} from '../../../support/log/test-log.ts';
import { ANSWER, bringTo, FIRST } from '../../../support/paying/payments.ts';
import { checkEnd } from '../../../support/probing/probe-start.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What every store promises about the transparency log. */
export function describeTransparencyLog(name: string, newPlace: NewPlace): void {
  describe(`the transparency log on ${name}`, () => {
    let place: Place;
    let log: LogStore;

    beforeEach(async () => {
      place = await newPlace();
      log = (await place.open()).transparencyLog;
    });
    afterEach(() => place.remove());

    it('begins with one empty epoch, however many open it', async () => {
      expect(await log.current()).toBeNull();
      const others = await Promise.all([place.open(), place.open()]);
      const opened = await Promise.all(
        others.map(({ transparencyLog }) => transparencyLog.open(FIRST_EPOCH)),
      );
      for (const head of [...opened, await log.open({ origin: 'other', key: 'other' })]) {
        expect(head).toMatchObject({ tree: '1', ...FIRST_EPOCH, size: 0, checkpoint: null, published: null });
      }
      expect(await log.epochs()).toHaveLength(1);
    });

    it('gives entries their places, and keeps tiles that give the signed root', async () => {
      await log.open(FIRST_EPOCH);
      const entries = entriesTo(700);
      await log.add(entries);
      expect(await log.backlog()).toMatchObject({ entries: 700 });
      expect(await log.place(anEntry(1).id)).toBe('waiting');
      expect(await appendAll(log, 300)).toBe(3);
      const placed = await log.entries('1', 0, 1_000);
      expect(placed.map(({ index }) => index)).toEqual(entries.map((_, at) => at));
      expect(new Set(placed.map(({ entry }) => entry))).toEqual(new Set(entries.map(({ entry }) => entry)));
      const head = await log.current();
      expect(head?.size).toBe(700);
      expect(Buffer.from(head?.root ?? [])).toEqual(Buffer.from(rootOfEntries(placed)));
      for (const size of [1, 255, 256, 257, 600, 700]) {
        const root = await rootOf(size, tileReader(log, '1'));
        expect(Buffer.from(root), `size ${size}`).toEqual(Buffer.from(rootOfEntries(placed.slice(0, size))));
      }
      expect(await log.backlog()).toEqual({ entries: 0, oldestMs: null });
      expect(await log.append(9, grow)).toEqual({ kind: 'nothing_waits' });
      expect(await log.tile('1', { level: 0, index: 2, width: 189 })).toBeNull();
      expect((await log.tile('1', { level: 0, index: 2, width: 188 }))?.byteLength).toBe(188 * 32);
    });

    it('knows an id once, also when it is added again with another entry', async () => {
      await log.open(FIRST_EPOCH);
      const { id, entry } = anEntry(1);
      await log.add([{ id, entry }]);
      await log.add([{ id, entry: anEntry(2).entry }]);
      await appendAll(log);
      await log.add([{ id, entry: anEntry(2).entry }]);
      await appendAll(log);
      expect(await log.place(id)).toEqual({ tree: '1', index: 0, entry });
      expect((await log.current())?.size).toBe(1);
      expect(await log.place('sc-ffffffffffffffff')).toBeNull();
    });

    it('leaves everything as it was when the tree cannot grow', async () => {
      await log.open(FIRST_EPOCH);
      await log.add(entriesTo(3));
      const fault = new Error('no');
      const failing = log.append(9, () => {
        throw fault;
      });
      await expect(failing).rejects.toThrow('no');
      expect(await log.backlog()).toMatchObject({ entries: 3 });
      expect((await log.current())?.size).toBe(0);
    });

    it('is not signed on when a tile has changed', async () => {
      await log.open(FIRST_EPOCH);
      await log.add(entriesTo(3));
      await appendAll(log);
      const bytes = await log.tile('1', { level: 0, index: 0, width: 3 });
      const flipped = Buffer.from(bytes ?? []);
      flipped[40] = (flipped[40] ?? 0) ^ 1;
      await log.keepTiles('1', [{ tile: { level: 0, index: 0, width: 3 }, bytes: flipped }]);
      await log.add([anEntry(3)]);
      await expect(log.append(9, grow)).rejects.toThrow('do not give the root');
    });

    it('has an entry for every receipt that is stored, also for one that a settlement stores', async () => {
      const store = await place.open();
      await log.open(FIRST_EPOCH);
      const first = aReceipt({ id: receiptId(2) });
      await store.receipts.add(first, 'key');
      await store.checks.record([], checkEnd(3));
      await bringTo('settling', store.payments);
      expect(await log.place(receiptId(1))).toBeNull();
      await store.payments.settle(FIRST, ANSWER, '0xtx', NOON);
      for (const number of [1, 2, 3]) expect(await log.place(receiptId(number))).toBe('waiting');
      await appendAll(log);
      const statement = (await store.receipts.statement(first.id)) ?? '';
      expect(await log.place(first.id)).toMatchObject({ entry: receiptEntry(first.id, statement) });
    });

    it('is one tree, whichever processes add and append at the same time', async () => {
      await log.open(FIRST_EPOCH);
      const stores = await Promise.all([place.open(), place.open(), place.open()]);
      const work = stores.map(async ({ transparencyLog }, nth) => {
        for (let round = 0; round < 12; round += 1) {
          await transparencyLog.add(entriesTo(7, nth * 1_000 + round * 7));
          await transparencyLog.append(5, grow);
        }
      });
      await Promise.all(work);
      await appendAll(log);
      const placed = await log.entries('1', 0, 1_000);
      expect(placed.map(({ index }) => index)).toEqual(Array.from({ length: 252 }, (_, at) => at));
      expect(new Set(placed.map(({ entry }) => entry)).size).toBe(252);
      expect(Buffer.from((await log.current())?.root ?? [])).toEqual(Buffer.from(rootOfEntries(placed)));
    });

    it('publishes forward only, and lets cosignatures come later', async () => {
      const { tree } = await log.open(FIRST_EPOCH);
      await log.publish(tree, { size: 5, note: 'five' }, false);
      await log.publish(tree, { size: 4, note: 'four' }, true);
      await log.publish(tree, { size: 5, note: 'FIVE' }, false);
      expect(await log.head(tree)).toMatchObject({ published: { size: 5, note: 'five' }, cosigned: null });
      await log.publish(tree, { size: 5, note: 'five — one of two' }, false);
      expect(await log.head(tree)).toMatchObject({
        published: { note: 'five — one of two' },
        cosigned: null,
      });
      await log.publish(tree, { size: 5, note: 'five with a cosignature' }, true);
      await log.publish(tree, { size: 5, note: 'FIVE with a cosignature' }, false);
      await log.publish(tree, { size: 5, note: 'five with fewer of them' }, false);
      await log.publish(tree, { size: 5, note: 'five with less' }, true);
      await log.publish(tree, { size: 6, note: 'six' }, false);
      expect(await log.head(tree)).toMatchObject({
        published: { size: 6, note: 'six' },
        cosigned: { size: 5, note: 'five with a cosignature' },
      });
    });

    it('begins a new epoch with the entry that ends the old one, before everything that waits', async () => {
      await log.open(FIRST_EPOCH);
      await log.add(entriesTo(3));
      await appendAll(log);
      await log.add([anEntry(3)]);
      const first = { id: 'epoch:2', entry: 'an epoch\n' };
      const next = await log.beginEpoch({ origin: `${ORIGIN}/2`, key: 'key' }, () => first);
      expect(next).toMatchObject({ tree: '2', origin: `${ORIGIN}/2`, size: 0 });
      await appendAll(log);
      expect(await log.entries('2', 0, 9)).toEqual([
        { tree: '2', index: 0, entry: first.entry },
        { tree: '2', index: 1, entry: anEntry(3).entry },
      ]);
      expect((await log.epochs()).map(({ tree, size }) => [tree, size])).toEqual([
        ['1', 3],
        ['2', 2],
      ]);
      expect(Buffer.from((await log.current())?.root ?? [])).toEqual(
        Buffer.from(naiveRoot([first, anEntry(3)].map(({ entry }) => hashLeaf(Buffer.from(entry))))),
      );
    });

    it('changes keys once, from the ones that are named', async () => {
      const { tree, key } = await log.open(FIRST_EPOCH);
      const entry = { id: 'key:add:new', entry: 'new\n' };
      await Promise.all([1, 2].map(() => log.changeKeys(tree, key, 'new old', entry)));
      await log.changeKeys(tree, 'other', 'stolen', { id: 'x', entry: 'x\n' });
      expect(await log.head(tree)).toMatchObject({ key: 'new old' });
      expect(await log.backlog()).toMatchObject({ entries: 1 });
    });
  });
}
