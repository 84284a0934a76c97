import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { observe } from '../../../../src/core/verdict/observation.ts';
import type { ProbeCache, ProbeKey, StoredProbe } from '../../../../src/ports/probe-cache.ts';
import { answered, ENTRY, paywall } from '../../../../tools/samples/challenge.ts';
import { afterNoon, NOON } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const GET: ProbeKey = { urlKey: 'one', method: 'GET' };
const probe = (ms: number, status = 200): StoredProbe => ({
  observation: observe(answered({ status })),
  probedAt: afterNoon(ms),
  spelling: `spelling ${ms}`,
});

/** What every cache of probes promises. */
export function describeProbeCache(name: string, newPlace: NewPlace): void {
  describe(`probe cache on ${name}`, () => {
    let place: Place;
    let probes: ProbeCache;

    beforeEach(async () => {
      place = await newPlace();
      ({ probes } = await place.open());
    });
    afterEach(() => place.remove());

    it('remembers for ever which endpoints served input for nothing', async () => {
      const { openEndpoints } = await place.open();
      expect(await openEndpoints.isOpen('one')).toBe(false);
      await Promise.all([openEndpoints.remember('one', NOON), openEndpoints.remember('one', afterNoon(1))]);
      expect([await openEndpoints.isOpen('one'), await openEndpoints.isOpen('two')]).toEqual([true, false]);
    });

    it('gives back exactly what was kept', async () => {
      const stored = {
        observation: observe(paywall([ENTRY, { ...ENTRY, network: '?' }])),
        probedAt: NOON,
        spelling: 'x',
      };
      await probes.keep(GET, stored);
      expect(await probes.find(GET, NOON)).toEqual(stored);
    });

    it('finds what was made at or after the moment asked for', async () => {
      await probes.keep(GET, probe(0));
      expect(await probes.find(GET, afterNoon(-1))).toEqual(probe(0));
      expect(await probes.find(GET, afterNoon(0))).toEqual(probe(0));
      expect(await probes.find(GET, afterNoon(1))).toBeNull();
    });

    it('keeps the newer of two, in whatever order they come', async () => {
      await probes.keep(GET, probe(10, 210));
      await probes.keep(GET, probe(9, 209));
      expect(await probes.find(GET, NOON)).toEqual(probe(10, 210));
      await probes.keep(GET, probe(11, 211));
      expect(await probes.find(GET, NOON)).toEqual(probe(11, 211));
    });

    it('keeps the older of two when a wrong clock has dated the other one more than five minutes ahead', async () => {
      await probes.keep(GET, probe(300_000, 210));
      await probes.keep(GET, probe(0, 209));
      expect(await probes.find(GET, NOON)).toEqual(probe(300_000, 210));
      await probes.keep(GET, probe(-1, 208));
      expect(await probes.find(GET, afterNoon(-1))).toEqual(probe(-1, 208));
    });

    it('keeps the newest of many that come at once', async () => {
      const times = Array.from({ length: 50 }, (_, index) => (index * 37) % 50);
      await Promise.all(times.map((ms) => probes.keep(GET, probe(ms, 200 + ms))));
      expect(await probes.find(GET, NOON)).toEqual(probe(49, 249));
    });

    it('tells methods and URLs apart', async () => {
      await probes.keep(GET, probe(1, 201));
      await probes.keep({ ...GET, method: 'POST' }, probe(2, 202));
      expect(await probes.find(GET, NOON)).toEqual(probe(1, 201));
      expect(await probes.find({ ...GET, method: 'POST' }, NOON)).toEqual(probe(2, 202));
      expect(await probes.find({ ...GET, urlKey: 'two' }, NOON)).toBeNull();
    });

    it('is one cache for every handle', async () => {
      const other = await place.open();
      await probes.keep(GET, probe(1));
      expect(await other.probes.find(GET, NOON)).toEqual(probe(1));
      await other.probes.keep(GET, probe(2));
      expect(await probes.find(GET, NOON)).toEqual(probe(2));
    });

    it('forgets what is old, oldest first and no more than asked', async () => {
      for (const ms of [3, 1, 2]) await probes.keep({ ...GET, urlKey: `at-${ms}` }, probe(ms));
      expect(await probes.prune(afterNoon(3), 1)).toBe(1);
      expect(await probes.find({ ...GET, urlKey: 'at-1' }, NOON)).toBeNull();
      expect(await probes.prune(afterNoon(3), 100)).toBe(1);
      expect(await probes.find({ ...GET, urlKey: 'at-3' }, NOON)).toEqual(probe(3));
      expect(await probes.prune(afterNoon(3), 100)).toBe(0);
    });

    it('misses what another release wrote and this one cannot read', async () => {
      await probes.keep(GET, probe(0));
      await place.ask(`update probe_cache set observation = '{"kind":"from_the_future"}' returning url_key`);
      expect(await probes.find(GET, NOON)).toBeNull();
    });
  });
}
