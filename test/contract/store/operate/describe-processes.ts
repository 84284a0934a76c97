import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sized } from '../../../support/sized.ts';
import { storeChild } from '../../../support/storing/store-child.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What a store promises to several processes. */
export function describeProcesses(name: string, newPlace: NewPlace): void {
  describe(`processes on ${name}`, () => {
    let place: Place;

    beforeEach(async () => {
      place = await newPlace();
    });
    afterEach(() => place.remove());

    /** What two processes say that begin at the same moment, each line once for every time it was said. */
    async function saidByTwo(
      task: 'reserve' | 'claim' | 'spend' | 'takeSlots',
      needs: object,
    ): Promise<string[]> {
      const children = [1, 2].map(() => storeChild(task, { place }, { rounds: ROUNDS, calls: 50, ...needs }));
      await Promise.all(children.map((child) => child.ready()));
      for (const child of children) child.go();
      await Promise.all(children.map((child) => child.done()));
      return children.flatMap((child) => child.lines()).sort();
    }
    const inEveryRound = (...lines: string[]) =>
      Array.from({ length: ROUNDS }, (_, round) => lines.map((line) => `${round}:${line}`))
        .flat()
        .sort();
    const times = (count: number, line: string) => Array.from({ length: count }, () => line);

    it('grants exactly five to two processes that start together on an empty store (G06)', async () => {
      const granted = await saidByTwo('reserve', { limit: 5 });
      expect(granted).toEqual(inEveryRound('1,1', '2,2', '3,3', '4,4', '5,5'));
    });

    it('gives a payment to exactly one of 100 attempts in two processes (G63)', async () => {
      expect(await saidByTwo('claim', {})).toEqual(inEveryRound('claimed', ...times(99, 'pending')));
    });

    it('lets two processes together spend what a day allows and no more', async () => {
      const said = await saidByTwo('spend', { perDay: 50_000 });
      expect(said).toEqual(inEveryRound(...times(5, 'begun'), ...times(95, 'day_cap')));
    });

    it('gives two processes together three slots at a target, and one of them for a URL (G38)', async () => {
      const said = await saidByTwo('takeSlots', {});
      for (let round = 0; round < ROUNDS; round += 1) {
        const taken = said.filter((line) => line.startsWith(`${round}:`));
        expect(taken).toHaveLength(3);
        expect(taken.filter((line) => line.endsWith('same URL')).length).toBeLessThanOrEqual(1);
      }
    });
  });
}

const ROUNDS = sized(5, 20);
