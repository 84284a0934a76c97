import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reply, SellerStore } from '../../../../src/ports/seller.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const aReply = (ms: number, changes: Partial<Reply> = {}): Reply => ({
  urlKey: 'a',
  note: `Words of the seller, "ü\n😀" ${ms}`,
  at: afterNoon(ms),
  signed: { statement: `{"at":${ms}}`, key: 'key', signature: 'signature' },
  ...changes,
});

/** What every store of replies promises. */
export function describeReplies(name: string, newPlace: NewPlace): void {
  describe(`replies on ${name}`, () => {
    let place: Place;
    let sellers: SellerStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ sellers } = await place.open());
    });
    afterEach(() => place.remove());

    it('are found by the keys of their URLs', async () => {
      expect(await sellers.keepReply(aReply(0))).toBe(true);
      expect(await sellers.keepReply(aReply(1, { urlKey: 'b' }))).toBe(true);
      expect(await sellers.repliesOf(['a', 'c'])).toEqual([aReply(0)]);
      expect(await sellers.repliesOf([])).toEqual([]);
    });

    it.each<[string, number[], boolean[], number]>([
      ['the newer comes last', [1, 2], [true, true], 2],
      ['the newer comes first', [2, 1], [true, false], 2],
      ['both are of one moment', [1, 1], [true, true], 1],
    ])('the newest statement counts when %s', async (_, moments, kept, stays) => {
      const answers: boolean[] = [];
      for (const ms of moments) answers.push(await sellers.keepReply(aReply(ms)));
      expect(answers).toEqual(kept);
      expect(await sellers.repliesOf(['a'])).toEqual([aReply(stays)]);
    });

    it('are gone when they are withdrawn, and an older statement brings none back', async () => {
      await sellers.keepReply(aReply(5));
      expect(await sellers.withdrawReply('a', afterNoon(4))).toBe(false);
      expect(await sellers.repliesOf(['a'])).toEqual([aReply(5)]);
      expect(await sellers.withdrawReply('a', afterNoon(9))).toBe(true);
      expect(await sellers.repliesOf(['a'])).toEqual([]);
      expect(await sellers.withdrawReply('a', afterNoon(10))).toBe(false);
      expect(await sellers.withdrawReply('never', afterNoon(10))).toBe(false);
      expect(await sellers.keepReply(aReply(8))).toBe(false);
      expect(await sellers.keepReply(aReply(11))).toBe(true);
      expect(await sellers.repliesOf(['a'])).toEqual([aReply(11)]);
      const rows = await place.ask('select note from replies');
      expect(rows).toHaveLength(1);
    });

    it('leave nothing of a withdrawn text behind', async () => {
      await sellers.keepReply(aReply(5));
      await sellers.withdrawReply('a', afterNoon(9));
      expect(await place.ask('select note, signed from replies')).toEqual([{ note: null, signed: null }]);
    });

    it('change the revision, unless nothing has changed', async () => {
      await sellers.keepReply(aReply(5));
      await sellers.keepReply(aReply(1));
      await sellers.withdrawReply('a', afterNoon(2));
      expect(await sellers.revision()).toBe('1');
      await sellers.withdrawReply('a', afterNoon(6));
      expect(await sellers.revision()).toBe('2');
    });
  });
}
