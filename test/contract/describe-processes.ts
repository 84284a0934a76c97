import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeChild } from '../support/store-child.ts';
import type { NewPlace, Place } from '../support/stores.ts';

/** What a store promises to several processes. */
export function describeProcesses(name: string, newPlace: NewPlace): void {
  describe(`processes on ${name}`, () => {
    let place: Place;

    beforeEach(async () => {
      place = await newPlace();
    });
    afterEach(() => place.remove());

    it('grants exactly five to two processes that start together on an empty store (G06)', async () => {
      const rounds = 20;
      const children = [1, 2].map(() => storeChild('reserve', { place }, { rounds, calls: 50, limit: 5 }));
      await Promise.all(children.map((child) => child.ready()));
      for (const child of children) child.go();
      await Promise.all(children.map((child) => child.done()));
      const granted = children.flatMap((child) => child.lines()).sort();
      const expected = Array.from({ length: rounds }, (_, round) =>
        [1, 2, 3, 4, 5].map((used) => `${round}:${used},${used}`),
      );
      expect(granted).toEqual(expected.flat().sort());
    }, 60_000);
  });
}
