import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobClaim, JobRecord, JobStore } from '../../../../src/ports/job-store.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import { sized } from '../../../support/sized.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const HOUR_MS = 3_600_000;

/** A claim for an hour by the clock of the store, made so many milliseconds after noon by a clock of one's own. */
const claim = (holder: string, at: number, name = 'crawl', leaseMs = HOUR_MS): JobClaim => ({
  name,
  holder,
  now: afterNoon(at),
  leaseMs,
});
const record = (state: string | null, startedAt: number | null, finishedAt: number | null): JobRecord => ({
  name: 'crawl',
  state,
  startedAt: startedAt === null ? null : afterNoon(startedAt),
  finishedAt: finishedAt === null ? null : afterNoon(finishedAt),
});

/** What every store of jobs promises. */
export function describeJobs(name: string, newPlace: NewPlace): void {
  describe(`jobs on ${name}`, () => {
    let place: Place;
    let jobs: JobStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ jobs } = await place.open());
    });
    afterEach(() => place.remove());

    /** As if the hour were over. */
    const lapse = () => place.ask('update jobs set held_until = held_until - 3600000');

    it('answers a claim with what the last run left behind', async () => {
      expect(await jobs.read('crawl')).toBeNull();
      expect(await jobs.claim(claim('a', 0))).toEqual(record(null, null, null));
      expect(await jobs.read('crawl')).toEqual(record(null, 0, null));
      expect(await jobs.save(claim('a', 5), '{"page":2}')).toBe(true);
      expect(await jobs.read('crawl')).toEqual(record('{"page":2}', 0, null));
      expect(await jobs.finish(claim('a', 9), '{"page":3}')).toBe(true);
      expect(await jobs.read('crawl')).toEqual(record('{"page":3}', 0, 9));
      expect(await jobs.claim(claim('b', 9))).toEqual(record('{"page":3}', 0, 9));
      expect(await jobs.read('crawl')).toEqual(record('{"page":3}', 9, 9));
    });

    it.each<[string, JobClaim, JobRecord | null]>([
      ['somebody else while it is held', claim('b', 9), null],
      ['somebody else whose clock is two hours ahead', claim('b', 2 * HOUR_MS), null],
      ['somebody else whose clock is two hours behind', claim('b', -2 * HOUR_MS), null],
      ['the holder itself', claim('a', 9), record(null, 0, null)],
      ['anybody for another job', claim('b', 9, 'prune'), { ...record(null, null, null), name: 'prune' }],
    ])('is claimed once: then comes %s', async (_, second, expected) => {
      await jobs.claim(claim('a', 0));
      expect(await jobs.claim(second)).toEqual(expected);
    });

    it.each([
      ['right', 0],
      ['two hours ahead', 2 * HOUR_MS],
      ['two hours behind', -2 * HOUR_MS],
    ])('goes to somebody else once the time of a holder is over whose clock is %s', async (_, at) => {
      await jobs.claim(claim('a', at));
      await lapse();
      expect(await jobs.claim(claim('b', 5))).toEqual(record(null, at, null));
    });

    it('is held longer by every save', async () => {
      await jobs.claim(claim('a', 0));
      await lapse();
      await jobs.save(claim('a', 9), 'one');
      expect(await jobs.claim(claim('b', 18))).toBeNull();
      await lapse();
      expect(await jobs.claim(claim('b', 19))).toEqual(record('one', 0, null));
    });

    it('is let go of by a save for no time', async () => {
      await jobs.claim(claim('a', 0));
      expect(await jobs.save(claim('a', 1, 'crawl', 0), 'one')).toBe(true);
      expect(await jobs.claim(claim('b', 2))).toEqual(record('one', 0, null));
    });

    it('still belongs to its holder when the time is over and nobody came', async () => {
      await jobs.claim(claim('a', 0));
      await lapse();
      expect(await jobs.save(claim('a', 50), 'one')).toBe(true);
      expect(await jobs.claim(claim('b', 59))).toBeNull();
      await lapse();
      expect(await jobs.finish(claim('a', 99), 'two')).toBe(true);
    });

    it('takes nothing from somebody who lost it, finished it or never had it', async () => {
      await jobs.claim(claim('a', 0));
      await lapse();
      await jobs.claim(claim('b', 10));
      expect(await jobs.save(claim('a', 11), 'lost')).toBe(false);
      expect(await jobs.finish(claim('a', 11), 'lost')).toBe(false);
      expect(await jobs.finish(claim('b', 12), 'good')).toBe(true);
      expect(await jobs.save(claim('b', 13), 'late')).toBe(false);
      expect(await jobs.finish(claim('b', 13), 'late')).toBe(false);
      expect(await jobs.save(claim('c', 13, 'nothing'), 'never')).toBe(false);
      expect(await jobs.read('crawl')).toEqual(record('good', 10, 12));
      expect(await jobs.read('nothing')).toBeNull();
    });

    it('goes to exactly one of 50 that ask at once, the first time and every time after', async () => {
      for (let round = 0; round < sized(4, 20); round += 1) {
        const at = round * 100;
        await lapse();
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            jobs.claim(claim(`holder-${round}-${n}`, at, `job-${round >> 1}`)),
          ),
        );
        expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
      }
    });
  });
}
