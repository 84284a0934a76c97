import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Retest, SellerStore } from '../../../../src/ports/seller.ts';
import { afterNoon, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const aRetest = (changes: Partial<Retest> = {}): Retest => ({
  spellingKey: 'a',
  method: 'GET',
  verdict: 'pay',
  reason: 'The live 402 asks $0.01, as expected.',
  needsInput: false,
  receiptId: receiptId(1),
  checkedAt: afterNoon(0),
  ...changes,
});

/** What every store of re-tests promises. */
export function describeRetests(name: string, newPlace: NewPlace): void {
  describe(`re-tests on ${name}`, () => {
    let place: Place;
    let sellers: SellerStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ sellers } = await place.open());
    });
    afterEach(() => place.remove());

    const sorted = async (keys: readonly string[], now = NOON) =>
      (await sellers.retestsOf(keys, now)).toSorted((left, right) =>
        `${left.spellingKey} ${left.method}` < `${right.spellingKey} ${right.method}` ? -1 : 1,
      );

    it('are found by the keys of their URLs, each method apart', async () => {
      const kept = [
        aRetest(),
        aRetest({ method: 'POST', verdict: 'skip', needsInput: true }),
        aRetest({ spellingKey: 'b' }),
      ];
      for (const retest of kept) await sellers.keepRetest(retest);
      expect(await sorted(['a', 'b', 'c'])).toEqual(kept);
      expect(await sorted(['b'])).toEqual([kept[2]]);
      expect(await sorted([])).toEqual([]);
      expect(await sorted(Array.from({ length: 500 }, (_, index) => `none-${index}`))).toEqual([]);
    });

    it.each<[string, number[], number]>([
      ['the newer comes last', [1, 2], 2],
      ['the newer comes first', [2, 1], 2],
      ['both are of one moment', [1, 1], 1],
    ])('keeps the newest when %s', async (_, moments, kept) => {
      for (const ms of moments) await sellers.keepRetest(aRetest({ checkedAt: afterNoon(ms) }));
      expect(await sorted(['a'])).toEqual([aRetest({ checkedAt: afterNoon(kept) })]);
    });

    it('a wrong clock writes none that is found before its date, or that keeps a newer one out (L76)', async () => {
      const edge = aRetest({ checkedAt: afterNoon(300_000) });
      const ahead = aRetest({ checkedAt: afterNoon(300_001) });
      await sellers.keepRetest(ahead);
      expect([await sorted(['a']), await sorted(['a'], afterNoon(1))]).toEqual([[], [ahead]]);
      await sellers.keepRetest(aRetest());
      expect(await sorted(['a'])).toEqual([aRetest()]);
      for (const retest of [edge, aRetest()]) await sellers.keepRetest(retest);
      expect(await sorted(['a'])).toEqual([edge]);
    });

    it('have a revision that changes with every write, from two handles', async () => {
      const other = await place.open();
      expect(await sellers.revision()).toBeNull();
      const seen = new Set<string | null>();
      for (const store of [sellers, other.sellers, sellers]) {
        await store.keepRetest(aRetest());
        seen.add(await sellers.revision());
      }
      expect(seen.size).toBe(3);
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? sellers : other.sellers).keepRetest(aRetest({ spellingKey: `many-${index}` })),
        ),
      );
      expect(await other.sellers.revision()).toBe('23');
    });
  });
}
