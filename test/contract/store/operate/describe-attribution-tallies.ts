import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  AttributedLookup,
  AttributionStore,
  SelfDescription,
} from '../../../../src/ports/attribution.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const DAY = new Date('2026-11-15T00:00:00.000Z');
const at = (time: string, day = 15) => new Date(`2026-11-${day}T${time}.000Z`);
const NOON = at('12:00:00');
const PAYER = '0x209693bc6afc0c5328ba36faf03c514ef312287c';

const task = (name: string, said: Partial<AttributedLookup> = {}): AttributedLookup => ({
  subject: { kind: 'task', name },
  client: null,
  ref: null,
  payer: null,
  ...said,
});
const WEATHER = task('weather');

/** What every store of attributions tells about them. */
export function describeAttributionTallies(name: string, newPlace: NewPlace): void {
  describe(`tallies of attributions on ${name}`, () => {
    let place: Place;
    let attribution: AttributionStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ attribution } = await place.open());
    });
    afterEach(() => place.remove());

    const noteAll = async (...lookups: readonly (readonly [AttributedLookup, Date])[]) => {
      for (const [lookup, moment] of lookups) attribution.note(lookup, moment);
      await attribution.flush();
    };
    const tallied = async (by: SelfDescription, since = DAY, limit = 9) =>
      (await attribution.tally(by, since, limit)).map((tally) => [tally.name, tally.lookups]);
    const subjects = async (since = DAY, limit = 9) =>
      (await attribution.subjects(since, limit)).map((tally) => [
        tally.subject.kind,
        tally.subject.name,
        tally.lookups,
      ]);

    it.each<[SelfDescription, [string | null, number][]]>([
      [
        'client',
        [
          ['b', 3],
          [null, 2],
          ['a', 1],
          ['c', 1],
        ],
      ],
      [
        'ref',
        [
          ['spring', 4],
          [null, 3],
        ],
      ],
      [
        'payer',
        [
          [null, 5],
          [PAYER, 2],
        ],
      ],
    ])('tallies by %s, the most frequent first and then by name; null said nothing', async (by, expected) => {
      await noteAll(
        [task('weather', { client: 'b', ref: 'spring', payer: PAYER }), NOON],
        [task('maps', { client: 'b', ref: 'spring' }), at('12:00:00', 16)],
        [task('maps', { client: 'b', ref: 'spring' }), NOON],
        [task('maps', { client: 'c' }), NOON],
        [task('maps', { client: 'a', payer: PAYER }), NOON],
        [task('maps', { ref: 'spring' }), NOON],
        [WEATHER, NOON],
      );
      expect(await tallied(by)).toEqual(expected);
      expect(await tallied(by, DAY, 1)).toEqual(expected.slice(0, 1));
    });

    it('tallies by what was looked for, the most frequent first and then by name', async () => {
      const endpoint = (id: string | null) =>
        ({ ...WEATHER, subject: { kind: 'endpoint', name: id } }) as const;
      await noteAll(
        [task('weather', { client: 'a' }), NOON],
        [task('weather', { client: 'b' }), NOON],
        [endpoint('weather'), NOON],
        [endpoint(null), NOON],
        [task('maps'), NOON],
      );
      const all = [
        ['task', 'weather', 2],
        ['endpoint', null, 1],
        ['endpoint', 'weather', 1],
        ['task', 'maps', 1],
      ];
      expect(await subjects()).toEqual(all);
      expect(await subjects(DAY, 2)).toEqual(all.slice(0, 2));
    });

    it.each<[string, Date, number]>([
      ['the last moment of the day before', at('23:59:59', 14), 3],
      ['any moment of the day', at('23:59:59', 15), 2],
      ['the first moment of the next day', at('00:00:00', 16), 1],
      ['later', at('00:00:00', 17), 0],
    ])('counts whole days since %s', async (_, since, total) => {
      await noteAll(
        [task('weather', { ref: 'r' }), NOON],
        [task('weather', { ref: 'r' }), at('00:00:00', 16)],
        [task('weather', { ref: 'r' }), at('23:59:59', 14)],
      );
      expect(await attribution.total(since)).toBe(total);
      expect(await tallied('ref', since)).toEqual(total === 0 ? [] : [['r', total]]);
      expect(await subjects(since)).toEqual(total === 0 ? [] : [['task', 'weather', total]]);
    });

    it('counts every lookup but tells no more than 2,000 apart in one flush', async () => {
      for (let n = 0; n < 2_500; n += 1) attribution.note(task('weather', { client: `c-${n}` }), NOON);
      attribution.note(task('weather', { client: 'c-1' }), NOON);
      await attribution.flush();
      expect(await attribution.total(DAY)).toBe(2_501);
      expect(await subjects()).toEqual([
        ['task', 'weather', 2_001],
        ['other', null, 500],
      ]);
      expect(await tallied('client', DAY, 2)).toEqual([
        [null, 500],
        ['c-1', 2],
      ]);
      // There is room again.
      await noteAll([task('maps', { client: 'late' }), NOON]);
      expect((await subjects()).at(-1)).toEqual(['task', 'maps', 1]);
    });
  });
}
