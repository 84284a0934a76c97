import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import type { Counter } from '../../../../src/core/access/quota.ts';
import type { ProbeStart } from '../../../../src/ports/check-writes.ts';
import { afterNoon, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { LONG_MS } from '../../../support/crawling/crawl-work.ts';
import { checkEnd, probeAt, probeStart } from '../../../support/probing/probe-start.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const day = '2026-11-15';
const counter = (key: string, limit: number): Counter => ({ key, window: day, limit });
/** A caller without a name has both counters in one row; a named one has two rows. */
const UNNAMED: readonly Counter[] = [counter('address', 1), { ...counter('address', 9), together: true }];
const NAMED: readonly Counter[] = [counter('me', 1), { ...counter('address', 9), together: true }];

/** What every store of checks promises. */
export function describeCheckWrites(name: string, newPlace: NewPlace): void {
  describe(`the writes of a check on ${name}`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
    });
    afterEach(() => place.remove());

    const start = (url: string, changes: Partial<ProbeStart> = {}, leaseMs = LONG_MS) =>
      store.checks.start(probeStart(url, changes), leaseMs);
    const kind = async (url: string) => (await start(url)).kind;
    const slots = async () =>
      (await place.ask('select holder from target_slots order by holder')).map(({ holder }) => holder);

    describe('start', () => {
      it('has three slots for each host and port, and one for a URL', async () => {
        const kinds: string[] = [];
        for (const url of ['a/1', 'a/2', 'a/1', 'a/3', 'a/4', 'a/2', 'a:8443/1', 'b/1'])
          kinds.push(await kind(url));
        expect(kinds).toEqual([
          ...['started', 'started', 'in_flight', 'started', 'full', 'in_flight', 'started', 'started'],
        ]);
      });

      it('has 24 slots for an address, whatever hosts are on it, and frees them with the probe (G101)', async () => {
        const at = { addressKeys: ['address one', 'address two'] };
        const kinds: string[] = [];
        for (let n = 0; n < 26; n += 1) kinds.push((await start(`host-${n}/1`, at)).kind);
        expect(kinds).toEqual([...Array<string>(24).fill('started'), 'full', 'full']);
        expect((await start('host-24/1', { addressKeys: ['address three'] })).kind).toBe('started');
        expect((await start('host-25/1', { addressKeys: ['address three', 'address two'] })).kind).toBe(
          'full',
        );
        await store.checks.finish(probeStart('host-3/1', at), probeAt(NOON), checkEnd(1));
        await store.checks.abandon(probeStart('host-4/1', at), []);
        const more = ['host-25/1', 'host-26/1', 'host-27/1'].map((url) => start(url, at));
        expect((await Promise.all(more)).map((answer) => answer.kind).sort()).toEqual([
          ...['full', 'started', 'started'],
        ]);
      });

      it('takes no slot at a host whose address has none, and reuses those of probes that died', async () => {
        const at = { addressKeys: ['address'] };
        for (let n = 0; n < 24; n += 1) await start(`host-${n}/1`, at, n === 7 ? 0 : LONG_MS);
        expect((await start('next/1', at)).kind).toBe('started');
        expect((await start('other/1', at)).kind).toBe('full');
        expect(await slots()).not.toContain('holder of other/1');
      });

      it('leaves callers what the crawl may not hold of an address', async () => {
        const at = { addressKeys: ['address'] };
        const crawl = (holder: string, most: number) =>
          store.slots.hold({ targetKey: 'address', holder }, { most, upTo: 8 }, LONG_MS);
        expect([await crawl('one', 4), await crawl('two', 9), await crawl('three', 4)]).toEqual([4, 4, 0]);
        const kinds: string[] = [];
        for (let n = 0; n < 17; n += 1) kinds.push((await start(`host-${n}/1`, at)).kind);
        expect(kinds).toEqual([...Array<string>(16).fill('started'), 'full']);
        await store.slots.free({ targetKey: 'address', holder: 'one' });
        expect(await crawl('three', 4)).toBe(4);
      });

      it('takes GET and POST of a URL for two probes', async () => {
        await start('a/1');
        const post = { key: { urlKey: 'key of a/1', method: 'POST' }, holder: 'other' } as const;
        expect(await start('a/1', post)).toEqual({ kind: 'started', used: [] });
      });

      it.each([
        ['in one row', UNNAMED],
        ['in two rows', NAMED],
      ])('raises counters %s with the slot, and answers in their order', async (_, counters) => {
        const minute = { key: 'a first key', window: '2026-11-15T12:00', limit: 30 };
        const all = [...counters, minute];
        expect(await start('a/1', { counters: all })).toEqual({ kind: 'started', used: [1, 1, 1] });
        expect(await store.counters.used(all)).toEqual([1, 1, 1]);
      });

      it.each([
        ['in one row', UNNAMED],
        ['in two rows', NAMED],
      ])('takes no slot and raises nothing when a counter %s is at its limit', async (_, counters) => {
        await start('a/1', { counters });
        const others = [counter('before', 5), ...counters, counter('zz after', 5)];
        expect(await start('a/2', { counters: others })).toEqual({ kind: 'exhausted', used: [0, 1, 1, 0] });
        expect(await store.counters.used(others)).toEqual([0, 1, 1, 0]);
        expect(await slots()).toEqual(['holder of a/1']);
      });

      it('raises nothing when the slots are full, the URL is in flight, or the limit is none', async () => {
        for (const url of ['a/1', 'a/2', 'a/3']) await start(url);
        const counters = [counter('me', 9)];
        const kinds = [
          await start('a/4', { counters }),
          await start('a/1', { counters }),
          await start('b/1', { counters: [counter('me', 0)] }),
        ];
        expect(kinds).toEqual([{ kind: 'full' }, { kind: 'in_flight' }, { kind: 'exhausted', used: [0] }]);
        expect([await store.counters.used(counters), (await slots()).length]).toEqual([[0], 3]);
      });

      it('is not needed when a newer probe is kept, and then neither counts nor holds', async () => {
        const counters = [counter('me', 9)];
        await store.probes.keep(probeStart('a/1').key, probeAt(afterNoon(1)));
        expect(await start('a/1', { counters })).toEqual({ kind: 'known', probedAt: afterNoon(1) });
        expect([await store.counters.used(counters), await slots()]).toEqual([[0], []]);
        const kinds = [await start('a/1', { newerThan: afterNoon(1) }), await start('a/2')];
        expect(kinds.map((each) => each.kind)).toEqual(['started', 'started']);
      });

      it('takes over what has run out, the URL as well, and its first holder frees nothing', async () => {
        for (const url of ['a/1', 'a/2', 'a/3']) await start(url, {}, 0);
        expect((await start('a/1', { holder: 'heir' })).kind).toBe('started');
        await store.checks.finish(probeStart('a/1'), probeAt(NOON), checkEnd(1));
        expect([await slots(), await kind('a/1')]).toEqual([['heir'], 'in_flight']);
      });

      it('leaves a neighbour that has not run out alone', async () => {
        await start('a/1');
        await start('a/2', {}, 0);
        await start('a/3');
        expect([await kind('a/4'), await kind('a/5')]).toEqual(['started', 'full']);
        expect(await slots()).toEqual(['holder of a/1', 'holder of a/3', 'holder of a/4']);
      });

      it('runs by the clock of the database', async () => {
        const now = Date.now();
        try {
          vi.useFakeTimers({ toFake: ['Date'], now: now - 10 * LONG_MS });
          await start('a/1');
          vi.setSystemTime(now + 10 * LONG_MS);
          expect([await kind('a/1'), await store.slots.prune(9)]).toEqual(['in_flight', 0]);
        } finally {
          vi.useRealTimers();
        }
      });
    });

    describe('finish', () => {
      it('keeps the probe and the receipt, frees the slot and gives back, in one step', async () => {
        const counters = [...NAMED];
        await start('a/1', { counters });
        const end = checkEnd(1, { givenBack: [counter('me', 1)] });
        await store.checks.finish(probeStart('a/1', { counters }), probeAt(afterNoon(1)), end);
        expect(await store.probes.find(probeStart('a/1').key, NOON)).toEqual(probeAt(afterNoon(1)));
        expect((await store.receipts.byId(receiptId(1)))?.id).toBe(receiptId(1));
        expect([await store.counters.used(counters), await slots()]).toEqual([[0, 1], []]);
      });

      it('does nothing when the receipt cannot be kept', async () => {
        await store.receipts.add(checkEnd(1).kept?.receipt ?? expect.fail(), 'key');
        const counters = [counter('me', 1)];
        await start('a/1', { counters });
        const end = checkEnd(1, { givenBack: counters });
        await expect(store.checks.finish(probeStart('a/1'), probeAt(NOON), end)).rejects.toThrow();
        expect([await store.counters.used(counters), await slots()]).toEqual([[1], ['holder of a/1']]);
        expect(await store.probes.find(probeStart('a/1').key, NOON)).toBeNull();
      });

      it('keeps no receipt of a look for a price', async () => {
        await start('a/1');
        await store.checks.finish(probeStart('a/1'), probeAt(NOON), { kept: null, givenBack: [] });
        expect([await slots(), await place.ask('select id from live_receipts')]).toEqual([[], []]);
      });
    });

    it('abandon frees the slot and lowers what it is told, never below zero', async () => {
      const counters = [...UNNAMED, counter('minute', 30)];
      await start('a/1', { counters });
      await store.checks.abandon(probeStart('a/1'), counters.slice(0, 2));
      expect([await store.counters.used(counters), await slots()]).toEqual([[0, 0, 1], []]);
      await store.checks.abandon(probeStart('a/1'), counters);
      expect(await store.counters.used(counters)).toEqual([0, 0, 0]);
    });

    describe('record', () => {
      it('counts the use and keeps the receipt', async () => {
        expect(await store.checks.record(NAMED, checkEnd(1))).toEqual({ granted: true, used: [1, 1] });
        expect(await store.receipts.byId(receiptId(1))).not.toBeNull();
      });

      it('keeps no receipt when a counter is at its limit', async () => {
        await store.checks.record(NAMED, checkEnd(1));
        expect(await store.checks.record(NAMED, checkEnd(2))).toEqual({ granted: false, used: [1, 1] });
        expect(await store.receipts.byId(receiptId(2))).toBeNull();
        expect(await store.counters.used(NAMED)).toEqual([1, 1]);
      });

      it('counts nothing when the receipt cannot be kept', async () => {
        await store.checks.record([], checkEnd(1));
        await expect(store.checks.record(NAMED, checkEnd(1))).rejects.toThrow();
        expect(await store.counters.used(NAMED)).toEqual([0, 0]);
      });

      it('counts and gives back in one step', async () => {
        const end = checkEnd(1, { givenBack: NAMED.slice(0, 1) });
        expect(await store.checks.record(NAMED, end)).toEqual({ granted: true, used: [1, 1] });
        expect(await store.counters.used(NAMED)).toEqual([0, 1]);
      });
    });
  });
}
