import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CounterStore } from '../../../../src/ports/counter-store.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const FIVE = [{ key: 'caller', window: '2026-11-15', limit: 5 }];

/** What every store of counters promises to uses of one row that come at the same moment: each as if it came alone. */
export function describeUsesTogether(name: string, newPlace: NewPlace): void {
  describe(`uses that come together on ${name}`, () => {
    let place: Place;
    let counters: CounterStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ counters } = await place.open());
    });
    afterEach(() => place.remove());

    it.each([
      ['as many as there is room for', 3, [4, 5], []],
      ['one more than there is room for', 3, [4, 5], [5]],
      ['several when there is room for one', 4, [5], [5, 5, 5]],
      ['several when there is none', 5, [], [5, 5]],
      ['more than there ever is room for', 0, [1, 2, 3, 4, 5], [5, 5]],
    ])('are counted one by one: %s', async (_, before, granted, refused) => {
      for (let n = 0; n < before; n += 1) await counters.reserve(FIVE);
      const asking = [...granted, ...refused].map(() => counters.reserve(FIVE));
      expect(await Promise.all(asking)).toEqual([
        ...granted.map((used) => ({ granted: true, used: [used] })),
        ...refused.map((used) => ({ granted: false, used: [used] })),
      ]);
    });
  });
}
