import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { CRAWL_PAGE_SIZE as PAGE } from '../../../../src/core/limits.ts';
import {
  aRun,
  crawlId,
  crawlRow,
  pageStartsOf,
  published,
  statedRow,
  unpublished,
} from '../../../../tools/samples/crawl-rows.ts';
import { afterNoon, aReceipt, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What every store promises about receipts that are withdrawn. */
export function describeWithdrawals(name: string, newPlace: NewPlace): void {
  describe(`withdrawals on ${name}`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
    });
    afterEach(() => place.remove());

    it('leave the hash of the statement, an entry in the log and nothing else of a check', async () => {
      const id = receiptId(1);
      const { receipts, withdrawals, transparencyLog, sellers } = store;
      await receipts.add(aReceipt({ id, url: 'https://a.example/find-me' }), 'key');
      await receipts.add(aReceipt({ id: receiptId(2) }), 'key');
      const statement = (await receipts.statement(id)) ?? '';
      const sha256 = createHash('sha256').update(statement).digest('base64');
      const before = await sellers.revision();
      const withdrawn = { id, sha256, because: 'personal', at: NOON };
      expect(await withdrawals.withdraw(id, 'personal', NOON)).toEqual(withdrawn);
      expect(await withdrawals.find(id)).toEqual(withdrawn);
      expect(await withdrawals.among([id, receiptId(2)])).toEqual([withdrawn]);
      expect([await receipts.byId(id), await receipts.statement(id)]).toEqual([null, null]);
      expect(await receipts.statements([id, receiptId(2)])).toEqual(
        new Map([[receiptId(2), await receipts.statement(receiptId(2))]]),
      );
      expect(await receipts.latestOf('key', { mode: 'live', limit: 9, now: NOON })).toHaveLength(1);
      expect(await transparencyLog.place(`withdrawal:${id}`)).toBe('waiting');
      expect(await sellers.revision()).not.toBe(before);
    });

    it('happen once: the first reason and time stay', async () => {
      const id = receiptId(1);
      await store.receipts.add(aReceipt({ id }), 'key');
      const first = await store.withdrawals.withdraw(id, 'legal', NOON);
      expect(await store.withdrawals.withdraw(id, 'error', afterNoon(9))).toEqual(first);
      expect(await store.transparencyLog.backlog()).toMatchObject({ entries: 2 });
    });

    it('leave the place of a crawl receipt in its run, and pages without a gap or a repetition', async () => {
      const { runs, withdrawals } = store;
      const rows = Array.from({ length: 2 * PAGE + 1 }, (_, n) => statedRow(n + 1));
      await unpublished(runs, 'run', rows);
      await runs.publish(aRun('run'), await pageStartsOf(runs, 'run'));
      // The first row, the last of page 1, the one before it, and one in the middle of page 2; not in this order.
      const gone = [PAGE, 1, PAGE - 1, PAGE + 7];
      for (const n of gone) {
        expect(await withdrawals.withdraw(crawlId(n), 'secret', NOON)).toMatchObject({ id: crawlId(n) });
        expect([await runs.byId(crawlId(n)), await runs.statement(crawlId(n))]).toEqual([null, null]);
      }
      const places = await place.ask("select run_id, seq from withdrawals where run_id = 'run' order by seq");
      expect(places.map(({ run_id, seq }) => [run_id, Number(seq)])).toEqual(
        gone.toSorted((left, right) => left - right).map((n) => ['run', n - 1]),
      );
      const left = rows.map(({ receipt }) => receipt.id).filter((id) => !gone.some((n) => crawlId(n) === id));
      for (const listing of ['all', 'skip'] as const) {
        const pages = await Promise.all([1, 2, 3].map((page) => runs.page('run', listing, page)));
        expect(pages.map(({ length }) => length)).toEqual([PAGE - 3, PAGE - 1, 1]);
        expect(pages.flat().map(({ id }) => id)).toEqual(left);
      }
      const starts = await place.ask('select after_url from crawl_pages order by page');
      expect(starts.map(({ after_url }) => String(after_url).slice(-6))).toEqual(
        [PAGE - 2, PAGE - 2, 2 * PAGE, 2 * PAGE].map((n) => String(n).padStart(6, '0')),
      );
    });

    it('may take every row before a page', async () => {
      const rows = Array.from({ length: PAGE + 2 }, (_, n) => statedRow(n + 1));
      await unpublished(store.runs, 'run', rows);
      await store.runs.publish(aRun('run'), await pageStartsOf(store.runs, 'run'));
      for (let n = 1; n <= PAGE + 1; n += 1) await store.withdrawals.withdraw(crawlId(n), 'error', NOON);
      const ids = (page: readonly { readonly id: string }[]) => page.map(({ id }) => id);
      expect(ids(await store.runs.page('run', 'all', 1))).toEqual([]);
      expect(ids(await store.runs.page('run', 'all', 2))).toEqual([crawlId(PAGE + 2)]);
    });

    it('find the other receipts of the URL, and a crawl that has it', async () => {
      const { runs, receipts, withdrawals } = store;
      await receipts.add(aReceipt({ id: receiptId(1) }), 'key-1');
      await receipts.add(aReceipt({ id: receiptId(2), mode: 'dry-run' }), 'key-1');
      await receipts.add(aReceipt({ id: receiptId(3) }), 'key-2');
      await published(runs, 'run', [statedRow(1), statedRow(2)]);
      const others = await withdrawals.sameUrl(receiptId(1), 9);
      expect(others?.ids.toSorted()).toEqual([crawlId(1), receiptId(2)]);
      expect(others?.isBeingCrawled).toBe(false);
      expect((await withdrawals.sameUrl(crawlId(1), 1))?.ids).toHaveLength(1);
      await unpublished(runs, 'next', [{ ...statedRow(9), urlKey: 'key-1' }]);
      expect(await withdrawals.sameUrl(crawlId(1), 9)).toMatchObject({ isBeingCrawled: true });
      expect((await withdrawals.sameUrl(crawlId(1), 9))?.ids).not.toContain(crawlId(9));
      expect(await withdrawals.sameUrl(crawlId(2), 9)).toEqual({
        ids: [receiptId(3)],
        isBeingCrawled: false,
      });
      expect(await withdrawals.sameUrl(receiptId(7), 9)).toBeNull();
      // What a crawl has not published cannot be withdrawn, and is still there for it.
      expect(await withdrawals.withdraw(crawlId(9), 'error', NOON)).toBeNull();
      expect(await runs.rows('next', null, 9)).toHaveLength(1);
    });

    it('are counted by their reason', async () => {
      for (const n of [1, 2, 3]) await store.receipts.add(aReceipt({ id: receiptId(n) }), 'key');
      await store.withdrawals.withdraw(receiptId(1), 'secret', NOON);
      await store.withdrawals.withdraw(receiptId(2), 'legal', NOON);
      await store.withdrawals.withdraw(receiptId(3), 'legal', NOON);
      expect(await store.withdrawals.counts()).toEqual({ secret: 1, personal: 0, legal: 2, error: 0 });
    });

    it('are not possible for what is not there', async () => {
      for (const id of [receiptId(7), 'ffffffffff', 'odd']) {
        expect(await store.withdrawals.withdraw(id, 'error', NOON)).toBeNull();
        expect(await store.withdrawals.find(id)).toBeNull();
      }
      expect(await store.withdrawals.among([])).toEqual([]);
      expect(await store.transparencyLog.backlog()).toMatchObject({ entries: 0 });
    });

    it('take a receipt from before there were statements, by the hash of its stored body', async () => {
      await published(store.runs, 'run', [crawlRow(1)]);
      const [{ body } = {}] = await place.ask('select body from crawl_receipts');
      const sha256 = createHash('sha256').update(String(body)).digest('base64');
      expect(await store.withdrawals.withdraw(crawlId(1), 'error', NOON)).toMatchObject({ sha256 });
      expect(await store.runs.byId(crawlId(1))).toBeNull();
    });
  });
}
