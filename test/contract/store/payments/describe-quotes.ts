import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import type { Quote, QuoteStore } from '../../../../src/ports/quote-store.ts';
import { afterNoon, NOON } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const QUOTE: Quote = { key: 'hash of a request', amount: microUsd(20_000n) };
const LARGEST = microUsd(2n ** 256n - 1n);

/** What every store of quotes promises. */
export function describeQuotes(name: string, newPlace: NewPlace): void {
  describe(`quotes on ${name}`, () => {
    let place: Place;
    let quotes: QuoteStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ quotes } = await place.open());
    });
    afterEach(() => place.remove());

    it.each<[string, Partial<Quote>, number, boolean]>([
      ['the moment before it runs out', {}, 299, true],
      ['the moment when it runs out', {}, 300, false],
      ['later', {}, 301, false],
      ['another request at this price', { key: 'another' }, 0, false],
      ['this request at a lower price', { amount: microUsd(19_999n) }, 0, false],
      ['this request at a higher price', { amount: microUsd(20_001n) }, 0, false],
      ['this request for nothing', { amount: microUsd(0n) }, 0, false],
      ['a price beyond every number of the engine', { amount: LARGEST }, 0, false],
    ])('%s (G47)', async (_, changes, ms, open) => {
      await quotes.remember(QUOTE, afterNoon(300));
      expect(await quotes.isOpen({ ...QUOTE, ...changes }, afterNoon(ms))).toBe(open);
    });

    it('has none that nobody offered', async () => {
      expect(await quotes.isOpen(QUOTE, afterNoon(0))).toBe(false);
    });

    it('keeps every price of a request, each for its own time', async () => {
      const dearer = { ...QUOTE, amount: LARGEST };
      await quotes.remember(QUOTE, afterNoon(300));
      await quotes.remember(dearer, afterNoon(500));
      expect(await quotes.isOpen(QUOTE, afterNoon(299))).toBe(true);
      expect(await quotes.isOpen(QUOTE, afterNoon(400))).toBe(false);
      expect(await quotes.isOpen(dearer, afterNoon(400))).toBe(true);
    });

    it.each<[string, number[]]>([
      ['the later comes last', [300, 600]],
      ['the later comes first', [600, 300]],
      ['one ran out long ago', [1, 600]],
    ])('stays payable until the later of two moments when %s', async (_, moments) => {
      for (const ms of moments) await quotes.remember(QUOTE, afterNoon(ms));
      expect(await quotes.isOpen(QUOTE, afterNoon(599))).toBe(true);
      expect(await quotes.isOpen(QUOTE, afterNoon(600))).toBe(false);
      expect(await place.ask('select key from quotes')).toHaveLength(1);
    });

    it('is not payable for longer because a wrong clock has offered it (L76)', async () => {
      // A quote is for five minutes, and clocks are five apart at most.
      await quotes.remember(QUOTE, afterNoon(600_001));
      expect(await quotes.isOpen(QUOTE, NOON)).toBe(false);
      expect(await quotes.isOpen(QUOTE, afterNoon(1))).toBe(true);
      await quotes.remember(QUOTE, afterNoon(300_000));
      expect(await quotes.isOpen(QUOTE, NOON)).toBe(true);
      expect(await quotes.isOpen(QUOTE, afterNoon(300_000))).toBe(false);
    });

    it('keeps the latest of many that come at once, from two handles', async () => {
      const other = await place.open();
      const moments = Array.from({ length: 50 }, (_, index) => (index * 37) % 50);
      await Promise.all(
        moments.map((ms, index) =>
          (index % 2 === 0 ? quotes : other.quotes).remember(QUOTE, afterNoon(ms + 1)),
        ),
      );
      expect(await quotes.isOpen(QUOTE, afterNoon(49))).toBe(true);
      expect(await quotes.isOpen(QUOTE, afterNoon(50))).toBe(false);
    });

    it('forgets those that ran out, oldest first and no more than asked', async () => {
      for (const ms of [3, 1, 2]) await quotes.remember({ ...QUOTE, key: `until-${ms}` }, afterNoon(ms));
      const keys = async () =>
        (await place.ask('select key from quotes order by key')).map((row) => row['key']);
      expect(await quotes.prune(afterNoon(3), 1)).toBe(1);
      expect(await keys()).toEqual(['until-2', 'until-3']);
      expect(await quotes.prune(afterNoon(3), 9)).toBe(1);
      expect(await quotes.prune(afterNoon(3), 9)).toBe(0);
      expect(await keys()).toEqual(['until-3']);
    });
  });
}
