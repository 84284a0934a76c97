import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttributedLookup, AttributionStore } from '../../../../src/ports/attribution.ts';
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

/** What every store of attributions promises. */
export function describeAttribution(name: string, newPlace: NewPlace): void {
  describe(`attribution on ${name}`, () => {
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
    const subjects = async (since = DAY, limit = 9) =>
      (await attribution.subjects(since, limit)).map((tally) => [
        tally.subject.kind,
        tally.subject.name,
        tally.lookups,
      ]);
    const rows = () => place.ask('select * from lookup_counts order by day, kind, name, client, ref, payer');

    it('has counted nothing at first, and writes nothing when nothing was noted', async () => {
      await attribution.flush();
      expect(await attribution.total(DAY)).toBe(0);
      expect(await attribution.tally('ref', DAY, 9)).toEqual([]);
      expect(await attribution.subjects(DAY, 9)).toEqual([]);
      expect(await rows()).toEqual([]);
    });

    it('keeps what is noted in memory until it is told to write', async () => {
      attribution.note(WEATHER, NOON);
      expect(await attribution.total(DAY)).toBe(0);
      await attribution.flush();
      expect(await attribution.total(DAY)).toBe(1);
      await attribution.flush();
      expect(await attribution.total(DAY)).toBe(1);
    });

    it('adds up in one row what is the same, in one flush and over several', async () => {
      await noteAll([WEATHER, NOON], [WEATHER, at('12:00:01')]);
      await noteAll([WEATHER, at('12:00:02')]);
      const [row, ...others] = await rows();
      expect(others).toEqual([]);
      expect(row).toMatchObject({
        day: '2026-11-15',
        kind: 'task',
        name: 'weather',
        client: '',
        ref: '',
        payer: '',
      });
      // As text where the driver cannot know that a number holds it.
      expect([Number(row?.['lookups']), Number(row?.['first_at'])]).toEqual([3, NOON.getTime()]);
    });

    it.each<[string, AttributedLookup, Date]>([
      ['another task', task('maps'), NOON],
      ['an endpoint of the same name', { ...WEATHER, subject: { kind: 'endpoint', name: 'weather' } }, NOON],
      ['an endpoint that is in no catalog', { ...WEATHER, subject: { kind: 'endpoint', name: null } }, NOON],
      ['a client', task('weather', { client: 'a' }), NOON],
      ['the same word as a ref', task('weather', { ref: 'a' }), NOON],
      ['a payer', task('weather', { payer: PAYER }), NOON],
      ['another day', WEATHER, at('00:00:00', 16)],
    ])('tells apart: %s', async (_, lookup, moment) => {
      await noteAll([WEATHER, NOON], [task('weather', { client: 'b', ref: 'b' }), NOON], [lookup, moment]);
      expect(await rows()).toHaveLength(3);
      expect(await attribution.total(DAY)).toBe(3);
    });

    it('remembers the first moment, whichever is written first', async () => {
      const payers = async () => (await attribution.tally('payer', DAY, 9)).map(({ firstAt }) => firstAt);
      await noteAll(
        [task('weather', { payer: PAYER }), at('12:00:06')],
        [task('weather', { payer: PAYER }), at('12:00:05')],
      );
      expect(await payers()).toEqual([at('12:00:05')]);
      await noteAll(
        [task('weather', { payer: PAYER }), at('12:00:03')],
        [task('maps', { payer: PAYER }), NOON],
      );
      await noteAll([task('weather', { payer: PAYER }), at('12:00:09')]);
      expect(await payers()).toEqual([NOON]);
      expect((await attribution.subjects(DAY, 9)).map(({ firstAt }) => firstAt)).toEqual([
        at('12:00:03'),
        NOON,
      ]);
    });

    it('loses and repeats nothing when several processes write the same counts at once', async () => {
      const stores = [
        attribution,
        ...(await Promise.all([place.open(), place.open()])).map((s) => s.attribution),
      ];
      for (let round = 0; round < 5; round += 1) {
        for (const [index, store] of stores.entries()) {
          const names = Array.from({ length: 120 }, (_, n) => `t-${n}`);
          // In another order in each, as it comes in life.
          for (const one of index === 1 ? names.toReversed() : names) store.note(task(one), NOON);
        }
        await Promise.all(stores.map((store) => store.flush()));
      }
      expect(await attribution.total(DAY)).toBe(1_800);
      expect(new Set((await attribution.subjects(DAY, 999)).map(({ lookups }) => lookups))).toEqual(
        new Set([15]),
      );
    });

    it('keeps for the next time what could not be written, together with what came meanwhile', async () => {
      attribution.note(WEATHER, at('12:00:01'));
      attribution.note(task('maps'), NOON);
      await place.ask('alter table lookup_counts rename to lookup_counts_away');
      const failing = attribution.flush();
      attribution.note(WEATHER, NOON);
      await expect(failing).rejects.toThrow(/lookup_counts/);
      await place.ask('alter table lookup_counts_away rename to lookup_counts');
      await attribution.flush();
      expect(await subjects()).toEqual([
        ['task', 'weather', 2],
        ['task', 'maps', 1],
      ]);
      expect((await attribution.subjects(DAY, 1))[0]?.firstAt).toEqual(NOON);
    });

    it('forgets days that are over, oldest first and no more than asked', async () => {
      await noteAll(...[17, 15, 16].map((day) => [WEATHER, at('12:00:00', day)] as const));
      const days = async () => (await rows()).map((row) => row['day']);
      expect(await attribution.prune(at('00:00:00', 17), 1)).toBe(1);
      expect(await days()).toEqual(['2026-11-16', '2026-11-17']);
      expect(await attribution.prune(at('23:59:59', 17), 9)).toBe(1);
      expect(await attribution.prune(at('23:59:59', 17), 9)).toBe(0);
      expect(await days()).toEqual(['2026-11-17']);
    });
  });
}
