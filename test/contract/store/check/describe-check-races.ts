import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { NOON } from '../../../../tools/samples/store-receipts.ts';
import { LONG_MS } from '../../../support/crawling/crawl-work.ts';
import { checkEnd, probeAt, probeStart } from '../../../support/probing/probe-start.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const WINDOW = '2026-11-15';

/** Two handles of one store, as two processes have them. */
export function describeCheckRaces(name: string, newPlace: NewPlace): void {
  describe(`checks in parallel on ${name}`, () => {
    let place: Place;
    let stores: readonly [Store, Store];

    beforeEach(async () => {
      place = await newPlace();
      stores = [await place.open(), await place.open()];
    });
    afterEach(() => place.remove());

    const at = (n: number) => stores[n % 2] ?? stores[0];
    const all = <T>(count: number, each: (n: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, n) => each(n)));
    const rows = async () => (await place.ask('select slot from target_slots')).length;

    it('get three slots of a target, whoever comes first', async () => {
      const answers = await all(100, (n) => at(n).checks.start(probeStart(`a/${n}`), LONG_MS));
      const kinds = answers.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'started')).toHaveLength(3);
      expect(kinds.filter((kind) => kind === 'full')).toHaveLength(97);
    });

    it('get one slot for a URL, 10 times over', async () => {
      for (let round = 0; round < 10; round += 1) {
        const answers = await all(20, (n) =>
          at(n).checks.start(probeStart(`r${round}/x`, { holder: `${n}` }), LONG_MS),
        );
        const kinds = answers.map(({ kind }) => kind);
        expect(kinds.filter((kind) => kind === 'started')).toHaveLength(1);
        expect(kinds.filter((kind) => kind === 'in_flight')).toHaveLength(19);
      }
    });

    it('get all of the free slots when three come at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const answers = await all(3, (n) => at(n).checks.start(probeStart(`r${round}/${n}`), LONG_MS));
        expect(answers.map(({ kind }) => kind)).toEqual(['started', 'started', 'started']);
      }
    });

    it('use up a quota exactly, with slots or with reused probes (G06)', async () => {
      const counters = [
        { key: 'me', window: WINDOW, limit: 5 },
        { key: 'address', window: WINDOW, limit: 50, together: true as const },
      ];
      const answers = await all(60, async (n) => {
        if (n % 2 === 0) return (await at(n >> 1).checks.record(counters, checkEnd(n))).granted;
        const started = await at(n >> 1).checks.start(probeStart(`t${n}/x`, { counters }), LONG_MS);
        return started.kind === 'started';
      });
      expect(answers.filter((granted) => granted)).toHaveLength(5);
      expect(await stores[0].counters.used(counters)).toEqual([5, 5]);
      const kept = (await place.ask('select id from live_receipts')).length;
      expect(kept + (await rows())).toBe(5);
    });

    it('come and go, and add up to nothing', async () => {
      const counters = [
        { key: 'z me', window: WINDOW, limit: 1_000 },
        { key: 'address', window: WINDOW, limit: 1_000, together: true as const },
      ];
      const most = { inFlight: 0, now: 0 };
      await all(24, async (n) => {
        const probe = probeStart(`a/${n % 5}`, { holder: `${n}`, counters });
        for (let turn = 0; turn < 6; turn += 1) {
          const { checks } = at(n + turn);
          if ((await checks.start(probe, LONG_MS)).kind !== 'started') continue;
          most.now += 1;
          most.inFlight = Math.max(most.inFlight, most.now);
          await new Promise((done) => setImmediate(done));
          most.now -= 1;
          if (turn % 2 === 0) await checks.abandon(probe, counters);
          else await checks.finish(probe, probeAt(NOON), { kept: null, givenBack: counters });
        }
      });
      expect(most.inFlight).toBeLessThanOrEqual(3);
      expect([await rows(), await stores[0].counters.used(counters)]).toEqual([0, [0, 0]]);
    });

    it('at hosts that share addresses never wait for each other in a circle', async () => {
      const addresses = ['address one', 'address two'];
      const kinds = new Set<string>();
      await all(24, async (n) => {
        const addressKeys = n % 2 === 0 ? addresses : addresses.toReversed();
        const probe = probeStart(`host-${n % 3}/${n}`, { holder: `${n}`, addressKeys });
        for (let turn = 0; turn < 6; turn += 1) {
          const { checks } = at(n + turn);
          const { kind } = await checks.start(probe, LONG_MS);
          kinds.add(kind);
          if (kind === 'started') await checks.abandon(probe, []);
        }
      });
      expect([...kinds].filter((kind) => kind !== 'full')).toEqual(['started']);
      expect(await rows()).toBe(0);
    });
  });
}
