import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import type { Watch, WatchStore } from '../../../../src/ports/seller.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const SEEN = { verdict: 'pay', price: microUsd(10_000n), payTo: '0xpayee', at: afterNoon(0) } as const;
const DEARER = { ...SEEN, price: microUsd(50_000n), at: afterNoon(7) };
const MOST = { ofOrigin: 5, ofOwner: 8, inAll: 1_000 };
const NOW = afterNoon(0);
const LEASE_MS = 600_000;

const aWatch = (id: string, changes: Partial<Watch> = {}): Watch => ({
  id,
  urlKey: 'a',
  originKey: 'host',
  ownerKey: 'owner',
  url: 'https://a.example/x',
  method: null,
  webhook: `https://hooks.example/${id}`,
  until: afterNoon(1_000),
  seen: SEEN,
  ...changes,
});

/** What every store of watches promises. */
export function describeWatches(name: string, newPlace: NewPlace): void {
  describe(`watches on ${name}`, () => {
    let place: Place;
    let watches: WatchStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ watches } = await place.open());
    });
    afterEach(() => place.remove());

    const add = (id: string, changes: Partial<Watch> = {}) => watches.add(aWatch(id, changes), MOST);
    const rows = async (table: string) =>
      (await place.ask(`select id from ${table} order by id`)).map((row) => row['id']);
    /** As if all leases were over. */
    const lapse = async () => {
      await place.ask('update watches set look_at = 0');
      await place.ask('update webhook_events set due_at = 0');
    };
    const takeOne = async () => {
      const [taken] = await watches.take(LEASE_MS, NOW, 9);
      if (taken === undefined) throw new Error('no watch is due');
      return taken;
    };

    it('are taken as they were added, by one process at a time', async () => {
      await add('one', { method: 'POST', seen: null });
      const other = await place.open();
      const all = await Promise.all([watches.take(LEASE_MS, NOW, 9), other.watches.take(LEASE_MS, NOW, 9)]);
      expect(all.flat()).toEqual([{ ...aWatch('one', { method: 'POST', seen: null }), version: 0 }]);
      expect(await watches.take(LEASE_MS, NOW, 9)).toEqual([]);
      await lapse();
      expect(await watches.take(LEASE_MS, NOW, 9)).toHaveLength(1);
    });

    it('are at most so many for a host and in all, from two handles at once', async () => {
      const other = await place.open();
      const ids = Array.from({ length: 12 }, (_, index) => `w${index}`);
      const added = await Promise.all(
        ids.map((id, index) => (index % 2 === 0 ? watches : other.watches).add(aWatch(id), MOST)),
      );
      expect(added.filter((isAdded) => isAdded)).toHaveLength(5);
      expect(await add('elsewhere', { originKey: 'another' })).toBe(true);
      const full = { ...MOST, inAll: 6 };
      expect(await watches.add(aWatch('more', { originKey: 'third' }), full)).toBe(false);
      expect(await rows('watches')).toHaveLength(6);
    });

    it('are at most so many for an owner, of whatever host', async () => {
      const hosts = Array.from({ length: 9 }, (_, index) => `host-${index}`);
      const added: boolean[] = [];
      for (const originKey of hosts) added.push(await add(originKey, { originKey }));
      expect(added).toEqual([...Array.from({ length: 8 }, () => true), false]);
      expect(await add('another', { originKey: 'host-8', ownerKey: 'another' })).toBe(true);
    });

    it('the same URL, method and webhook again replaces the watch, also when there is no room for more', async () => {
      for (const id of ['1', '2', '3', '4', '5']) await add(id);
      expect(await add('new', { webhook: 'https://hooks.example/3' })).toBe(true);
      expect(await rows('watches')).toEqual(['1', '2', '4', '5', 'new']);
      expect(await add('other', { webhook: 'https://hooks.example/3', method: 'POST' })).toBe(false);
    });

    it('end with their URL or their time, with what they still had to send', async () => {
      await add('one');
      await watches.note(await takeOne(), DEARER, { id: 'e1', watchId: 'one', body: '{}' });
      await add('two', { urlKey: 'b' });
      expect([await watches.remove('a'), await watches.remove('a')]).toEqual([1, 0]);
      expect([await rows('watches'), await rows('webhook_events')]).toEqual([['two'], []]);
      expect(await watches.take(LEASE_MS, afterNoon(1_000), 9)).toEqual([]);
      expect(await rows('watches')).toEqual([]);
    });

    it('a change is noted by one of two processes', async () => {
      await add('one');
      const taken = await takeOne();
      const event = (id: string) => ({ id, watchId: 'one', body: '{}' });
      const other = await place.open();
      const noted = await Promise.all([
        watches.note(taken, DEARER, event('e1')),
        other.watches.note(taken, DEARER, event('e2')),
      ]);
      expect(noted.toSorted()).toEqual([false, true]);
      expect(await rows('webhook_events')).toHaveLength(1);
      await lapse();
      expect(await takeOne()).toMatchObject({ seen: DEARER, version: 1 });
    });

    it('events are leased, tried again later, and gone when they are delivered', async () => {
      await add('one');
      await watches.note(await takeOne(), DEARER, { id: 'e1', watchId: 'one', body: '{"ü":1}' });
      const other = await place.open();
      const due = {
        id: 'e1',
        watchId: 'one',
        body: '{"ü":1}',
        url: 'https://a.example/x',
        webhook: 'https://hooks.example/one',
        originKey: 'host',
        failed: 0,
      };
      const taken = await Promise.all([
        watches.takeEvents(LEASE_MS, 9),
        other.watches.takeEvents(LEASE_MS, 9),
      ]);
      expect(taken.flat()).toEqual([due]);
      // The process that had it died.
      await lapse();
      expect(await other.watches.takeEvents(LEASE_MS, 9)).toEqual([due]);
      await watches.retry('e1', 1, LEASE_MS);
      expect(await watches.takeEvents(LEASE_MS, 9)).toEqual([]);
      await lapse();
      expect(await watches.takeEvents(LEASE_MS, 9)).toEqual([{ ...due, failed: 1 }]);
      await watches.drop('e1');
      await lapse();
      expect(await watches.takeEvents(LEASE_MS, 9)).toEqual([]);
    });

    it('events whose watch is gone are removed when they are due', async () => {
      await add('one');
      await add('two', { urlKey: 'b' });
      for (const taken of await watches.take(LEASE_MS, NOW, 9)) {
        await watches.note(taken, DEARER, { id: `of-${taken.id}`, watchId: taken.id, body: '{}' });
      }
      await place.ask("delete from watches where id = 'one'");
      expect((await watches.takeEvents(LEASE_MS, 9)).map(({ id }) => id)).toEqual(['of-two']);
      expect(await rows('webhook_events')).toEqual(['of-two']);
    });

    it('giving up ends the watch and all its events', async () => {
      await add('one');
      await add('two', { urlKey: 'b' });
      const event = { id: 'e1', watchId: 'one', body: '{}' };
      for (const taken of await watches.take(LEASE_MS, NOW, 9)) {
        await watches.note(taken, DEARER, { ...event, id: `of-${taken.id}`, watchId: taken.id });
      }
      await watches.giveUp(event);
      expect([await rows('watches'), await rows('webhook_events')]).toEqual([['two'], ['of-two']]);
    });

    it('take no more than asked', async () => {
      for (const id of ['1', '2', '3']) await add(id);
      expect(await watches.take(LEASE_MS, NOW, 2)).toHaveLength(2);
      expect(await watches.take(LEASE_MS, NOW, 2)).toHaveLength(1);
    });
  });
}
