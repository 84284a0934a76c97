import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { crawlId } from '../../../../tools/samples/crawl-rows.ts';
import { afterNoon, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const ID = receiptId(1);
const FIRST = {
  receiptId: ID,
  at: NOON,
  was: 'pay',
  is: 'skip',
  because: 'The payee was “wrong”, ü.',
} as const;

/** What every store promises about corrections. */
export function describeCorrections(name: string, newPlace: NewPlace): void {
  describe(`corrections on ${name}`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
    });
    afterEach(() => place.remove());

    it('are kept as the text whose hash is an entry of the log', async () => {
      const { corrections, sellers } = store;
      const before = await sellers.revision();
      const text = `{"assay":"correction/1","at":"${NOON.toISOString()}","because":"The payee was “wrong”, ü.","id":"${ID}","is":"skip","was":"pay"}`;
      const stored = { ...FIRST, id: `${ID}:1`, text };
      expect(await corrections.add(FIRST)).toEqual(stored);
      expect(await corrections.of(ID)).toEqual([stored]);
      expect(await sellers.revision()).not.toBe(before);
      const entries = await place.ask('select id, entry from log_entries');
      const sha256 = createHash('sha256').update(text).digest('base64');
      expect(entries).toEqual([
        { id: `correction:${ID}:1`, entry: `assay correction v1\n${ID}\n${sha256}\n` },
      ]);
    });

    it('are numbered for each receipt, also when several are added at once', async () => {
      const other = await place.open();
      await Promise.all(
        Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? store : other).corrections.add(FIRST)),
      );
      await store.corrections.add({ ...FIRST, receiptId: crawlId(1) });
      expect((await store.corrections.of(ID)).map(({ id }) => id)).toEqual(
        Array.from({ length: 12 }, (_, n) => `${ID}:${12 - n}`),
      );
      expect((await store.corrections.of(crawlId(1))).map(({ id }) => id)).toEqual([`${crawlId(1)}:1`]);
      expect(await store.corrections.of(receiptId(2))).toEqual([]);
      expect(await store.transparencyLog.backlog()).toMatchObject({ entries: 13 });
    });

    it('are listed newest first, in pages', async () => {
      for (const n of [2, 1, 3]) {
        await store.corrections.add({ ...FIRST, receiptId: receiptId(n), at: afterNoon(n) });
      }
      const ids = async (skipped: number, limit: number) =>
        (await store.corrections.newest(skipped, limit)).map(({ receiptId: id }) => id);
      expect(await ids(0, 9)).toEqual([receiptId(3), receiptId(2), receiptId(1)]);
      expect([await ids(0, 2), await ids(2, 2), await ids(3, 2)]).toEqual([
        [receiptId(3), receiptId(2)],
        [receiptId(1)],
        [],
      ]);
    });
  });
}
