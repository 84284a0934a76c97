import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AskedPlace, PlaceAnswer, ProbePlaces } from '../../src/ports/probe-places.ts';
import { LONG_MS } from '../support/crawling/crawl-work.ts';
import { askedPlace } from '../support/probe-places.ts';
import type { NewPlace, Place } from '../support/stores.ts';

/** What every store of places promises. */
export function describeProbePlaces(name: string, newPlace: NewPlace): void {
  describe(`places of probes on ${name}`, () => {
    let place: Place;
    let places: ProbePlaces;

    beforeEach(async () => {
      place = await newPlace();
      places = (await place.open()).places;
    });
    afterEach(() => place.remove());

    const ask = (url: string, leaseMs = LONG_MS) => places.take(askedPlace(url), leaseMs);
    const leave = (url: string) => places.giveBack(askedPlace(url));
    const rows = async () => (await place.ask('select host_key from probe_places')).length;
    const live = async (...hosts: string[]) => places.liveAt(hosts.map((host) => `key of ${host}.example`));

    it('are three for each host and port, and one for a URL', async () => {
      const answers: PlaceAnswer[] = [];
      for (const url of ['a/1', 'a/2', 'a/1', 'a/3', 'a/4', 'a/2', 'a:8443/1', 'b/1'])
        answers.push(await ask(url));
      expect(answers).toEqual([
        'taken',
        'taken',
        'in_flight',
        'taken',
        'full',
        'in_flight',
        'taken',
        'taken',
      ]);
      expect(await live('a', 'b', 'c')).toEqual([4, 1, 0]);
    });

    it('are free again once they are given back, in whatever order, and leave nothing behind', async () => {
      for (const url of ['a/1', 'a/2', 'a/3']) await ask(url);
      await leave('a/2');
      expect(await ask('a/4')).toBe('taken');
      expect(await ask('a/5')).toBe('full');
      for (const url of ['a/4', 'a/1', 'a/3']) await leave(url);
      expect([await live('a'), await rows()]).toEqual([[0], 0]);
    });

    it('are given back by their holder alone, and once', async () => {
      await ask('a/1');
      await places.giveBack({ ...askedPlace('a/1'), holder: 'somebody else' });
      await leave('b/1');
      expect(await live('a')).toEqual([1]);
      await leave('a/1');
      await leave('a/1');
      await ask('a/2');
      await leave('a/1');
      expect(await live('a')).toEqual([1]);
    });

    it('free themselves when their time is over, the URL as well', async () => {
      for (const url of ['a/1', 'a/2', 'a/3']) expect(await ask(url, 0)).toBe('taken');
      expect([await live('a'), await ask('a/1')]).toEqual([[0], 'taken']);
      // Whoever was thought dead and comes back takes nobody's place away.
      await leave('a/2');
      expect([await live('a'), await ask('a/1')]).toEqual([[1], 'in_flight']);
    });

    it('end one by one: a dead holder’s neighbour keeps its own', async () => {
      expect([await ask('a/1', LONG_MS), await ask('a/2', 0), await ask('a/3', LONG_MS)]).toEqual([
        ...['taken', 'taken', 'taken'],
      ]);
      expect(await live('a')).toEqual([2]);
      await leave('a/3');
      await leave('a/1');
      expect(await rows()).toBe(0);
    });

    it('run by the clock of the database, whatever that of the process says', async () => {
      const now = Date.now();
      try {
        vi.useFakeTimers({ toFake: ['Date'], now: now - 10 * LONG_MS });
        await ask('a/1');
        await ask('a/2');
        vi.setSystemTime(now + 10 * LONG_MS);
        expect([await live('a'), await ask('a/1'), await places.prune(9)]).toEqual([[2], 'in_flight', 0]);
      } finally {
        vi.useRealTimers();
      }
    });

    it('are pruned when all of a host have run out, no more than asked', async () => {
      for (const url of ['a/1', 'b/1', 'c/1', 'd/1']) await ask(url, url === 'd/1' ? LONG_MS : 0);
      await ask('c/2');
      await new Promise((done) => setTimeout(done, 5));
      expect([await places.prune(1), await places.prune(9), await places.prune(9)]).toEqual([1, 1, 0]);
      expect(await live('a', 'b', 'c', 'd')).toEqual([0, 0, 1, 1]);
    });

    it('hold no name of a host and no URL', async () => {
      await ask('a/1');
      await ask('a/2');
      const [row] = await place.ask('select host_key, sole_holder, held from probe_places');
      expect(row).toEqual({
        host_key: 'key of a.example',
        sole_holder: null,
        held: expect.stringMatching(
          /^\[\["flight of a\/1","place of a","holder of a\/1",\d{13}\],\["flight of a\/2","place of a","holder of a\/2",\d{13}\]\]$/,
        ),
      });
    });

    it('are never more than three, nor two for a URL, when 120 ask at the same moment, 10 times over', async () => {
      const other = (await place.open()).places;
      for (let round = 0; round < 10; round += 1) {
        const urls = Array.from({ length: 120 }, (_, n) => `r${round}/${n % 6}`);
        const answers = await Promise.all(
          urls.map((url, n) =>
            (n % 2 === 0 ? places : other).take({ ...askedPlace(url), holder: `${n}` }, LONG_MS),
          ),
        );
        const taken = urls.filter((_, n) => answers[n] === 'taken');
        expect([taken.length, new Set(taken).size]).toEqual([3, 3]);
      }
    });

    it('come and go in parallel and add up to nothing', async () => {
      const stores = [places, (await place.open()).places];
      const asking = async (n: number) => {
        const asked: AskedPlace = { ...askedPlace(`a/${n % 5}`), holder: `${n}` };
        for (let turn = 0; turn < 8; turn += 1) {
          const each = stores[(n + turn) % 2] ?? places;
          if ((await each.take(asked, LONG_MS)) === 'taken') {
            expect((await each.liveAt([asked.hostKey]))[0]).toBeLessThanOrEqual(3);
            await each.giveBack(asked);
          }
        }
      };
      await Promise.all(Array.from({ length: 24 }, (_, n) => asking(n)));
      expect(await rows()).toBe(0);
    });
  });
}
