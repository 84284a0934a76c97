import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Counter } from '../../../../src/core/access/quota.ts';
import type { CounterStore, Reserved } from '../../../../src/ports/counter-store.ts';
import { sized } from '../../../support/sized.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const DAY = '2026-11-15';
const counter = (key: string, limit: number, window = DAY): Counter => ({ key, window, limit });

/** A second row for every seventh caller. */
const extra = (n: number) => (n % 7 === 0 ? [counter(`beside caller ${n}`, 1_000)] : []);

/** Both counters of a granted use have the same number, and whoever is refused sees them full. */
function expectFive(answers: readonly Reserved[]): void {
  const granted = answers.filter((answer) => answer.granted).map(({ used }) => used.join());
  expect(granted.sort()).toEqual(['1,1', '2,2', '3,3', '4,4', '5,5']);
  const refused = answers.filter((answer) => !answer.granted).map(({ used }) => used.join());
  expect(new Set(refused)).toEqual(new Set(['5,5']));
}

/** What every store of counters promises. */
export function describeCounterStore(name: string, newPlace: NewPlace): void {
  describe(`counters on ${name}`, () => {
    let place: Place;
    let counters: CounterStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ counters } = await place.open());
    });
    afterEach(() => place.remove());

    it('grants exactly five of 100 parallel uses, each with its own number (G06)', async () => {
      for (let round = 0; round < sized(20, 200); round += 1) {
        const pair = [counter(`caller-${round}`, 5), counter(`address-${round}`, 100)];
        const answers = await Promise.all(Array.from({ length: 100 }, () => counters.reserve(pair)));
        expectFive(answers);
      }
    }, 180_000);

    it('does so for a caller whose two counters are one row, through two handles at once', async () => {
      const handles = [counters, (await place.open()).counters];
      for (let round = 0; round < sized(10, 50); round += 1) {
        const pair = [
          counter(`address-${round}`, 5),
          { ...counter(`address-${round}`, 100), together: true } as const,
        ];
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, n) => (handles[n % 2] ?? counters).reserve(pair)),
        );
        expectFive(answers);
      }
    }, 60_000);

    it('answers many callers who come at once each with its own count, whatever their limits', async () => {
      const all = Array.from({ length: 300 }, (_, n) => ({
        n,
        limit: 1 + (n % 3),
        key: `caller-${n % 100}`,
      }));
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.all(
          all.map(({ key, limit, n }) =>
            counters.reserve([counter(`${key} of ${limit}`, limit), ...extra(n)]),
          ),
        );
        for (const [index, { granted, used }] of answers.entries()) {
          const { n, limit } = all[index] ?? { n: 0, limit: 0 };
          expect([granted, used]).toEqual([
            round < limit,
            [Math.min(round + 1, limit), ...extra(n).map(() => Math.min(round + 1, limit))],
          ]);
        }
      }
    });

    it('raises all or none, whichever is full', async () => {
      const [caller, address] = [counter('caller', 5), counter('address', 2)];
      expect(await counters.reserve([caller, address])).toEqual({ granted: true, used: [1, 1] });
      expect(await counters.reserve([address, caller])).toEqual({ granted: true, used: [2, 2] });
      expect(await counters.reserve([caller, address])).toEqual({ granted: false, used: [2, 2] });
      expect(await counters.reserve([address, caller])).toEqual({ granted: false, used: [2, 2] });
      expect(await counters.reserve([caller])).toEqual({ granted: true, used: [3] });
      expect(await counters.reserve([counter('stranger', 5), address])).toEqual({
        granted: false,
        used: [0, 2],
      });
    });

    it('never lets parallel callers of one address past its ceiling, and counts nobody for nothing', async () => {
      const address = counter('address', 7);
      const callers = Array.from({ length: 40 }, (_, index) => counter(`caller-${index}`, 1));
      // Both orders: two calls that lock the same rows must not wait for each other.
      const answers = await Promise.all(
        callers.map((caller, index) =>
          counters.reserve(index % 2 === 0 ? [caller, address] : [address, caller]),
        ),
      );
      expect(answers.filter(({ granted }) => granted)).toHaveLength(7);
      const rows = await place.ask("select key, used from counters where key <> 'address'");
      expect(rows).toHaveLength(7);
      expect(rows.every(({ used }) => used === 1)).toBe(true);
    });

    it('counts what a key has by itself and what it has together with others apart, in one row', async () => {
      const [own, all] = [counter('address', 2), { ...counter('address', 4), together: true } as const];
      const named = counter('address and name', 2);
      const asked = [
        [own, all],
        [named, all],
        [own, all],
        [own, all],
        [all, named],
        [named, all],
      ];
      const answers = [];
      for (const pair of asked) answers.push(await counters.reserve(pair));
      expect(answers).toEqual([
        { granted: true, used: [1, 1] },
        { granted: true, used: [1, 2] },
        { granted: true, used: [2, 3] },
        { granted: false, used: [2, 3] },
        { granted: true, used: [4, 2] },
        { granted: false, used: [2, 4] },
      ]);
      expect(await counters.used([all, own, named])).toEqual([4, 2, 2]);
      await counters.giveBack(own);
      expect(await counters.used([all, own, named])).toEqual([4, 1, 2]);
      await counters.giveBack(all);
      expect(await counters.used([all, own, named])).toEqual([3, 1, 2]);
      expect(await counters.reserve([own, all])).toEqual({ granted: true, used: [2, 4] });
      expect(await place.ask('select key from counters')).toHaveLength(2);
    });

    it('leaves no row behind for a stranger whose address has nothing left, and keeps one that only others have used', async () => {
      const all = (key: string, limit: number) => ({ ...counter(key, limit), together: true }) as const;
      await counters.reserve([counter('named', 5), all('address', 1)]);
      await Promise.all([
        counters.reserve([counter('address', 5), all('address', 1)]),
        counters.reserve([counter('stranger', 5), all('address', 1)]),
        counters.reserve([counter('elsewhere', 5), all('elsewhere', 1)]),
      ]);
      expect(await place.ask('select key, used, used_together from counters order by key')).toEqual([
        { key: 'address', used: 0, used_together: 1 },
        { key: 'elsewhere', used: 1, used_together: 1 },
        { key: 'named', used: 1, used_together: 0 },
      ]);
    });

    it('raises known and new ones together, also when several want the same one at once', async () => {
      const [known, full, fresh] = [counter('known', 5), counter('full', 1), counter('fresh', 5)];
      await counters.reserve([known, full]);
      const answers = await Promise.all([
        counters.reserve([known, fresh]),
        counters.reserve([full, fresh]),
        counters.reserve([fresh, counter('known', 2)]),
        counters.reserve([known, counter('known', 5, '2026-11-16')]),
      ]);
      expect(answers).toEqual([
        { granted: true, used: [2, 1] },
        { granted: false, used: [1, 1] },
        { granted: false, used: [1, 2] },
        { granted: true, used: [3, 1] },
      ]);
      const rows = await place.ask('select "window", key, used from counters order by "window", key');
      expect(rows.map(({ window, key, used }) => `${window} ${key} ${used}`)).toEqual([
        '2026-11-15 fresh 1',
        '2026-11-15 full 1',
        '2026-11-15 known 3',
        '2026-11-16 known 1',
      ]);
    });

    it('leaves no row behind for a refused stranger', async () => {
      await counters.reserve([counter('address', 1)]);
      for (let n = 0; n < 20; n += 1) {
        await counters.reserve([counter(`stranger-${n}`, 5), counter('address', 1)]);
      }
      expect(await place.ask('select key from counters')).toEqual([{ key: 'address' }]);
    });

    it('grants nothing where the limit is zero', async () => {
      expect(await counters.reserve([counter('caller', 0)])).toEqual({ granted: false, used: [0] });
    });

    it('gives back, and never below zero', async () => {
      const caller = counter('caller', 1);
      await counters.reserve([caller]);
      expect(await counters.reserve([caller])).toEqual({ granted: false, used: [1] });
      await counters.giveBack(caller);
      await counters.giveBack(caller);
      await counters.giveBack(counter('nobody', 1));
      expect(await counters.reserve([caller])).toEqual({ granted: true, used: [1] });
      expect(await counters.reserve([caller])).toEqual({ granted: false, used: [1] });
    });

    it('can be looked at without counting, each by itself and in the order asked', async () => {
      const [caller, other] = [counter('caller', 5), counter('caller', 5, '2026-11-16')];
      await counters.reserve([caller]);
      await counters.reserve([caller]);
      await counters.reserve([other]);
      const asked = [other, counter('stranger', 5), caller];
      expect(await counters.used(asked)).toEqual([1, 0, 2]);
      expect(await counters.used(asked)).toEqual([1, 0, 2]);
      expect(await counters.used([])).toEqual([]);
      expect(await place.ask('select key from counters')).toHaveLength(2);
    });

    it('counts every window by itself', async () => {
      const windows = ['2026-11-15', '2026-11-16', '2026-11-15T12', '2026-11-15T13'];
      for (const window of windows) {
        expect(await counters.reserve([counter('caller', 1, window)])).toEqual({ granted: true, used: [1] });
      }
      await counters.giveBack(counter('caller', 1, '2026-11-15T12'));
      expect(await counters.reserve([counter('caller', 1)])).toEqual({ granted: false, used: [1] });
    });

    it('refuses a window it cannot date', async () => {
      await expect(counters.reserve([counter('caller', 1, 'today')])).rejects.toThrow(
        'not a counter window: "today"',
      );
    });

    it('forgets windows that are over, oldest first and no more than asked', async () => {
      const windows = ['2026-11-13', '2026-11-14', '2026-11-14T22', '2026-11-14T23', '2026-11-15'];
      for (const window of windows) await counters.reserve([counter('caller', 1, window)]);
      const left = async () =>
        (await place.ask('select "window" from counters order by 1')).map(Object.values);
      const midnight = new Date('2026-11-15T00:00:00.000Z');
      expect(await counters.prune(midnight, 1)).toBe(1);
      expect(await left()).toEqual([['2026-11-14'], ['2026-11-14T22'], ['2026-11-14T23'], ['2026-11-15']]);
      expect(await counters.prune(midnight, 100)).toBe(1);
      expect(await left()).toEqual([['2026-11-14'], ['2026-11-14T23'], ['2026-11-15']]);
      expect(await counters.prune(new Date(midnight.getTime() + 1), 100)).toBe(2);
      expect(await left()).toEqual([['2026-11-15']]);
      expect(await counters.prune(midnight, 100)).toBe(0);
    });

    it('is one store for every handle', async () => {
      const other = await place.open();
      const caller = counter('caller', 2);
      await counters.reserve([caller]);
      expect(await other.counters.reserve([caller])).toEqual({ granted: true, used: [2] });
      expect(await counters.reserve([caller])).toEqual({ granted: false, used: [2] });
    });
  });
}
