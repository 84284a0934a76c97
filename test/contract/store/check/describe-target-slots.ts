import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { LONG_MS } from '../../../support/crawling/crawl-work.ts';
import { probeStart } from '../../../support/probing/probe-start.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const CRAWL = { targetKey: 'target a', holder: 'crawl' };

const SHARE = { most: 2, upTo: 3 };

/** What every store promises a target at which both the crawl and callers are (gaps G38 and G76). */
export function describeTargetSlots(name: string, newPlace: NewPlace): void {
  describe(`slots of the crawl on ${name}`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
    });
    afterEach(() => place.remove());

    const ask = async (url: string, leaseMs = LONG_MS) =>
      (await store.checks.start(probeStart(url), leaseMs)).kind;
    const hold = (leaseMs = LONG_MS, holder = CRAWL) => store.slots.hold(holder, SHARE, leaseMs);
    const held = async () =>
      (await place.ask('select holder from target_slots order by slot')).map(({ holder }) => holder);

    it('are two, and one is left to callers', async () => {
      expect([await hold(), await ask('a/1'), await ask('a/2')]).toEqual([2, 'started', 'full']);
    });

    it('are those of one host and port', async () => {
      await hold();
      for (const url of ['a:8443/1', 'a:8443/2', 'a:8443/3']) expect(await ask(url)).toBe('started');
      expect(await hold(LONG_MS, { ...CRAWL, targetKey: 'target b' })).toBe(2);
    });

    it('are what callers leave, and more once they are gone', async () => {
      for (const url of ['a/1', 'a/2', 'a/3']) await ask(url);
      const counts = [await hold()];
      for (const url of ['a/1', 'a/2', 'a/3']) {
        await store.checks.abandon(probeStart(url), []);
        counts.push(await hold());
      }
      expect([counts, await held()]).toEqual([
        [0, 1, 2, 2],
        ['crawl', 'crawl'],
      ]);
    });

    it('are held for longer when they are asked for again', async () => {
      await hold(0);
      expect([await hold(), await hold(), await ask('a/1'), await ask('a/2')]).toEqual([
        ...[2, 2, 'started', 'full'],
      ]);
      const [row] = await place.ask('select min(until) as until from target_slots');
      expect(Number(row?.['until'])).toBeGreaterThan(Date.now() + LONG_MS / 2);
    });

    it('end with their lease, for callers and for another worker', async () => {
      await hold(0);
      for (const url of ['a/1', 'a/2', 'a/3']) expect(await ask(url, 0)).toBe('started');
      expect(await hold(LONG_MS, { ...CRAWL, holder: 'next' })).toBe(2);
      expect([await held(), await hold()]).toEqual([['next', 'next'], 1]);
    });

    it('are freed together, by their holder alone', async () => {
      await hold();
      await ask('a/1');
      await store.slots.free({ ...CRAWL, holder: 'somebody else' });
      await store.slots.free({ ...CRAWL, targetKey: 'target b' });
      expect(await held()).toHaveLength(3);
      await store.slots.free(CRAWL);
      expect(await held()).toEqual(['holder of a/1']);
    });

    it('are pruned when they have run out, no more than asked', async () => {
      await hold(0);
      await ask('b/1', 0);
      await ask('c/1');
      await new Promise((done) => setTimeout(done, 5));
      const pruned = [await store.slots.prune(1), await store.slots.prune(9), await store.slots.prune(9)];
      expect([pruned, await held()]).toEqual([[1, 2, 0], ['holder of c/1']]);
    });

    it('hold no name of a host and no URL', async () => {
      await hold();
      await ask('a/1');
      const rows = await place.ask(
        'select target_key, slot, holder, probe_key from target_slots order by slot',
      );
      expect(rows).toEqual([
        { target_key: 'target a', slot: 1, holder: 'crawl', probe_key: null },
        { target_key: 'target a', slot: 2, holder: 'crawl', probe_key: null },
        { target_key: 'target a', slot: 3, holder: 'holder of a/1', probe_key: 'GET key of a/1' },
      ]);
    });

    it('and those of callers are never more than three together, 20 times over', async () => {
      const other = await place.open();
      for (let round = 0; round < 20; round += 1) {
        const target = `r${round}`;
        const holds = ['one', 'two'].map((holder) =>
          store.slots.hold({ targetKey: `target ${target}`, holder }, SHARE, LONG_MS),
        );
        const asks = [1, 2, 3, 4].map((n) => other.checks.start(probeStart(`${target}/${n}`), LONG_MS));
        const [crawl, callers] = await Promise.all([Promise.all(holds), Promise.all(asks)]);
        const started = callers.filter(({ kind }) => kind === 'started').length;
        const sum = started + crawl.reduce((total, count) => total + count, 0);
        const [row] = await place.ask(
          `select count(*) as count from target_slots where target_key = 'target ${target}'`,
        );
        expect(sum).toBeLessThanOrEqual(3);
        expect(Number(row?.['count'])).toBe(sum);
      }
    });
  });
}
