import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CursorPosition,
  type CursorScope,
  newestPosition,
} from '../../../../src/core/receipt/cursor.ts';
import type { ListedReceipt, LiveReceipt } from '../../../../src/core/receipt/live-receipt.ts';
import { readStatement } from '../../../../src/core/statement/read-statement.ts';
import { statementOfLive } from '../../../../src/core/statement/stated-live.ts';
import type { AskedSo, LiveReceiptStore } from '../../../../src/ports/live-receipts.ts';
import { afterNoon, aReceipt, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const LIVE: CursorScope = { type: 'live', ref: null };
const TOP = newestPosition(NOON);

/** What every store of live receipts promises. */
export function describeLiveReceipts(name: string, newPlace: NewPlace): void {
  describe(`live receipts on ${name}`, () => {
    let place: Place;
    let receipts: LiveReceiptStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ receipts } = await place.open());
    });
    afterEach(() => place.remove());

    const add = (n: number, changes: Partial<LiveReceipt> = {}, urlKey = 'key') =>
      receipts.add(aReceipt({ id: receiptId(n), ...changes }), urlKey);
    const ids = (list: readonly Pick<LiveReceipt, 'id'>[]) =>
      list.map(({ id }) => Number.parseInt(id.slice(3), 16));
    const positionOf = (last: ListedReceipt | undefined): CursorPosition => last ?? TOP;

    /** All pages from the top, with something happening after each. */
    async function readAll(size: number, between: () => Promise<void>): Promise<number[]> {
      const seen: number[] = [];
      for (let below = TOP; ; ) {
        const page: readonly ListedReceipt[] = await receipts.page(LIVE, below, size);
        seen.push(...ids(page));
        if (page.length < size) return seen;
        below = positionOf(page.at(-1));
        await between();
      }
    }

    it('gives back exactly what was stored', async () => {
      const receipt = aReceipt({ ref: "O'Neil \u{1f600} %_\\" });
      await receipts.add(receipt, 'key');
      expect(await receipts.byId(receipt.id)).toEqual(receipt);
      expect(await receipts.byId(receiptId(2))).toBeNull();
    });

    it('gives back the bytes of a statement, which say the receipt', async () => {
      const receipt = aReceipt({ ref: "O'Neil \u{1f600} %_\\", task: '\u0000' });
      await receipts.add(receipt, 'key');
      const text = (await receipts.statement(receipt.id)) ?? '';
      expect(text).toBe(statementOfLive(receipt));
      expect(readStatement(text)).toMatchObject({ kind: 'live', id: receipt.id, ref: receipt.ref });
      expect(await receipts.statement(receiptId(2))).toBeNull();
    });

    it('has no statement of a receipt from before there were any', async () => {
      const older = aReceipt({ seen: null, salt: null, listedMethod: null });
      await receipts.add(older, 'key');
      expect(await receipts.byId(older.id)).toEqual(older);
      expect(await receipts.statement(older.id)).toBeNull();
    });

    it('lists what a listing shows, also of a receipt from an earlier release', async () => {
      const receipt = aReceipt({ ref: "O'Neil \u{1f600} %_\\" });
      await receipts.add(receipt, 'key');
      const { id, url, checkedAt, checkType, ref, listing, liveDemand, verdict, reason } = receipt;
      const listed = [{ id, url, checkedAt, checkType, ref, listing, liveDemand, verdict, reason }];
      expect(await receipts.page(LIVE, TOP, 10)).toEqual(listed);
      await place.ask('update live_receipts set listed = null');
      expect(await receipts.page(LIVE, TOP, 10)).toEqual(listed);
    });

    it('reads no challenge for a listing', async () => {
      await add(1);
      await place.ask("update live_receipts set body = 'not read'");
      expect(ids(await receipts.page(LIVE, TOP, 10))).toEqual([1]);
    });

    it('refuses an id that is taken and keeps the first receipt', async () => {
      await add(1, { task: 'first' });
      await expect(add(1, { task: 'second' })).rejects.toThrow();
      expect(await receipts.byId(receiptId(1))).toMatchObject({ task: 'first' });
    });

    it('does not fail a receipt because another one of the same moment fails', async () => {
      await add(1);
      const results = await Promise.allSettled([add(2), add(1), add(3), add(1), add(4)]);
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(ids(await receipts.page(LIVE, TOP, 10))).toEqual([4, 3, 2, 1]);
    });

    it('lists by time and then id, newest first', async () => {
      await add(1, { checkedAt: afterNoon(2) });
      await add(2, { checkedAt: afterNoon(1) });
      await add(10, { checkedAt: afterNoon(1) });
      await add(9, { checkedAt: afterNoon(1) });
      expect(ids(await receipts.page(LIVE, TOP, 10))).toEqual([1, 10, 9, 2]);
      expect(ids(await receipts.page(LIVE, TOP, 2))).toEqual([1, 10]);
    });

    it('pages without a gap or a repeat while receipts of the same and of later times arrive (G52)', async () => {
      // Thirty receipts at three moments: most page ends fall between equal times.
      for (let n = 1; n <= 30; n += 1) await add(n, { checkedAt: afterNoon(n % 3) });
      const expected = ids(await receipts.page(LIVE, TOP, 100));
      const arriving = { next: 100 };
      const seen = await readAll(4, async () => {
        await add(arriving.next, { checkedAt: afterNoon(2) });
        await add(arriving.next + 1, { checkedAt: afterNoon(arriving.next) });
        arriving.next += 2;
      });
      expect(expected).toHaveLength(30);
      expect(seen).toEqual(expected);
      expect(await receipts.page(LIVE, TOP, 100)).toHaveLength(30 + arriving.next - 100);
    });

    it('starts strictly below a position, also one that is no receipt', async () => {
      for (const n of [1, 2, 3]) await add(n);
      expect(ids(await receipts.page(LIVE, { checkedAt: afterNoon(0), id: receiptId(2) }, 10))).toEqual([1]);
      expect(ids(await receipts.page(LIVE, { checkedAt: afterNoon(1), id: receiptId(0) }, 10))).toEqual([
        3, 2, 1,
      ]);
      expect(await receipts.page(LIVE, { checkedAt: afterNoon(-1), id: receiptId(9) }, 10)).toEqual([]);
    });

    it('keeps dry runs and live checks apart', async () => {
      await add(1);
      await add(2, { mode: 'dry-run' });
      expect(ids(await receipts.page(LIVE, TOP, 10))).toEqual([1]);
      expect(ids(await receipts.page({ type: 'dry-run', ref: null }, TOP, 10))).toEqual([2]);
    });

    it('takes a ref literally', async () => {
      const refs = ['a', 'A', 'a%', 'a_', '%', '_', 'ab', '', null];
      for (const [index, ref] of refs.entries()) await add(index + 1, { ref });
      for (const [index, ref] of refs.entries()) {
        if (ref === null) continue;
        expect(ids(await receipts.page({ type: 'live', ref }, TOP, 10))).toEqual([index + 1]);
      }
      expect(await receipts.page({ type: 'live', ref: 'b' }, TOP, 10)).toEqual([]);
      expect(await receipts.page(LIVE, TOP, 100)).toHaveLength(refs.length);
    });

    it('pages within a ref', async () => {
      for (let n = 1; n <= 9; n += 1) await add(n, { ref: n % 2 === 0 ? 'even' : 'odd' });
      const scope: CursorScope = { type: 'live', ref: 'odd' };
      const first = await receipts.page(scope, TOP, 3);
      expect(ids(first)).toEqual([9, 7, 5]);
      expect(ids(await receipts.page(scope, positionOf(first.at(-1)), 3))).toEqual([3, 1]);
    });

    it('finds the latest of a URL in one mode', async () => {
      await add(1, { checkedAt: afterNoon(1) }, 'one');
      await add(2, { checkedAt: afterNoon(3) }, 'one');
      await add(3, { checkedAt: afterNoon(2) }, 'one');
      await add(4, { checkedAt: afterNoon(9), mode: 'dry-run' }, 'one');
      await add(5, { checkedAt: afterNoon(9) }, 'two');
      expect(ids(await receipts.latestOf('one', { mode: 'live', limit: 2, now: NOON }))).toEqual([2, 3]);
      expect(ids(await receipts.latestOf('one', { mode: 'dry-run', limit: 2, now: NOON }))).toEqual([4]);
      expect(await receipts.latestOf('three', { mode: 'live', limit: 2, now: NOON })).toEqual([]);
    });

    it('finds the latest of a URL in one spelling, by one method, neutral or not', async () => {
      const [plain, slash] = ['https://a.example/x', 'https://a.example/x/'];
      await add(1, { checkedAt: afterNoon(1), url: plain }, 'one');
      await add(2, { checkedAt: afterNoon(2), url: slash }, 'one');
      await add(3, { checkedAt: afterNoon(3), url: slash, mode: 'dry-run' }, 'one');
      await add(4, { checkedAt: afterNoon(4), url: plain }, 'two');
      await add(5, { checkedAt: afterNoon(5), url: plain, method: 'POST' }, 'one');
      const listed = { ...aReceipt().expected, source: 'listing' } as const;
      await add(6, { checkedAt: afterNoon(6), url: plain, expected: listed }, 'one');
      const latest = async (asked: Partial<AskedSo>, mode: 'live' | 'dry-run' = 'live') =>
        ids(
          await receipts.latestAsked(
            'one',
            { url: plain, method: 'GET', isNeutral: false, ...asked },
            { mode, limit: 2, now: NOON },
          ),
        );
      expect(await latest({})).toEqual([1]);
      expect(await latest({ url: slash })).toEqual([2]);
      expect(await latest({ url: slash }, 'dry-run')).toEqual([3]);
      expect(await latest({ url: 'https://a.example/x//' })).toEqual([]);
      expect(await latest({ method: 'POST' })).toEqual([5]);
      expect(await latest({ isNeutral: true })).toEqual([6]);
    });

    it('a wrong clock makes no receipt the latest until its date has come (L76)', async () => {
      const url = 'https://a.example/x';
      const asked: AskedSo = { url, method: 'GET', isNeutral: false };
      const [edge, ahead] = [afterNoon(300_000), afterNoon(300_001)];
      for (const [n, checkedAt] of [NOON, edge, ahead, afterNoon(31_536_000_000)].entries())
        await add(n + 1, { checkedAt, url }, 'one');
      const latest = async (now: Date) => {
        const wanted = { mode: 'live', limit: 9, now } as const;
        const found = [
          await receipts.latestOf('one', wanted),
          await receipts.latestAsked('one', asked, wanted),
          await receipts.page(LIVE, newestPosition(now), 9),
        ];
        return found.map(ids);
      };
      expect(await latest(NOON)).toEqual([
        [2, 1],
        [2, 1],
        [2, 1],
      ]);
      expect(await latest(afterNoon(1))).toEqual([
        [3, 2, 1],
        [3, 2, 1],
        [3, 2, 1],
      ]);
    });

    it('finishes the writes under way when it closes, and takes no more', async () => {
      const store = await place.open();
      const writes = Array.from({ length: 50 }, (_, index) =>
        store.receipts.add(aReceipt({ id: receiptId(index + 1) }), 'key'),
      );
      await store.close();
      await Promise.all(writes);
      expect(await receipts.page(LIVE, TOP, 100)).toHaveLength(50);
      await expect(store.receipts.add(aReceipt({ id: receiptId(99) }), 'key')).rejects.toThrow(
        'the store is closed',
      );
    });
  });
}
