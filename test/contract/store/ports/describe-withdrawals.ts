import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
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
      expect(await receipts.latestOf('key', 'live', 9)).toHaveLength(1);
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

    it('are not possible for what is not there', async () => {
      for (const id of [receiptId(7), 'ffffffffff', 'odd']) {
        expect(await store.withdrawals.withdraw(id, 'error', NOON)).toBeNull();
        expect(await store.withdrawals.find(id)).toBeNull();
      }
      expect(await store.withdrawals.among([])).toEqual([]);
      expect(await store.transparencyLog.backlog()).toMatchObject({ entries: 0 });
    });
  });
}
