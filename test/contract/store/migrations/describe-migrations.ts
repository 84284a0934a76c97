import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HISTORY } from '../../../../src/adapters/store/migrations/history.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import type { Migration } from '../../../../src/adapters/store/migrations/step.ts';
import type { Connected } from '../../../../src/adapters/store/store.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const RELEASED = [
  { version: 1, name: 'first-tables' },
  { version: 2, name: 'runs-payments-jobs' },
  { version: 3, name: 'quotes-and-lapsed-payments' },
  { version: 4, name: 'attribution' },
  { version: 5, name: 'crawl-work' },
  { version: 6, name: 'skip-filters' },
  { version: 7, name: 'probe-places' },
  { version: 8, name: 'counters-together' },
  { version: 9, name: 'target-slots' },
  { version: 10, name: 'secret-fingerprint' },
  { version: 11, name: 'listed-receipts' },
  { version: 12, name: 'payment-sends-and-delivery' },
  { version: 13, name: 'receipt-spellings' },
  { version: 14, name: 'open-endpoints' },
  { version: 15, name: 'sellers' },
  { version: 16, name: 'statements' },
  { version: 17, name: 'transparency-log' },
  { version: 18, name: 'snapshots' },
  { version: 19, name: 'hosts-and-payees' },
  { version: 20, name: 'receipt-weeks' },
];
const NEXT = RELEASED.length + 1;

/** How the schema of a store comes to be, and when it is refused. */
export function describeMigrations(name: string, newPlace: NewPlace): void {
  describe(`migrations on ${name}`, () => {
    let place: Place;

    beforeEach(async () => {
      place = await newPlace();
    });
    afterEach(() => place.remove());

    const versions = () => place.ask('select version, name from schema_migrations order by version');
    const withConnection = async (use: (connected: Connected) => Promise<void>) => {
      const connected = await place.connect();
      try {
        await use(connected);
      } finally {
        await connected.database.destroy();
      }
    };

    it('run once, however many open the store at the same time', async () => {
      await Promise.all([place.open(), place.open(), place.open(), place.open()]);
      await place.open();
      expect(await versions()).toEqual(RELEASED);
    });

    it('add to an older schema and keep its rows', async () => {
      const { counters } = await place.open();
      await counters.reserve([{ key: 'caller', window: '2026-11-15', limit: 5 }]);
      const later: Migration = {
        name: 'later',
        up: (queries) => queries.schema.createTable('more').addColumn('a', 'integer').execute(),
      };
      await withConnection((connected) => migrate(connected, [...HISTORY, later]));
      expect(await versions()).toEqual([...RELEASED, { version: NEXT, name: 'later' }]);
      expect(await place.ask('select key, used from counters')).toEqual([{ key: 'caller', used: 1 }]);
    });

    it('bring payments of an older release along, and what ran out of them is forgotten like ours', async () => {
      await withConnection((connected) => migrate(connected, HISTORY.slice(0, 2)));
      const columns = 'key, request_key, state, holder, held_until, changed_at, frozen_at, answer';
      await place.ask(`insert into payments (${columns}) values
        ('ran out', 'request', 'claimed', 'holder', 10, 1, null, null),
        ('refused', 'request', 'rejected', 'holder', 10, 1, null, null),
        ('settled', 'request', 'settled', 'holder', 10, 1, 1, '{"status":200,"headers":[],"body":"paid"}')`);
      const { payments } = await place.open();
      const settled = { key: 'settled', requestKey: 'request', identifier: null, from: 'network' };
      const answer = { status: 200, headers: {}, body: 'paid' };
      expect(await payments.look(settled, new Date(20))).toEqual({
        kind: 'settled',
        answer,
        presented: { claimedFrom: null, deliveredTo: null },
      });
      expect(await payments.prune(new Date(20), 9)).toBe(3);
      expect(await place.ask('select key from payments')).toEqual([{ key: 'settled' }]);
    });

    it('bring along what an address has used today, and leave the old rows to a release that still runs', async () => {
      await withConnection((connected) => migrate(connected, HISTORY.slice(0, 7)));
      await place.ask(`insert into counters ("window", key, used) values
        ('2026-11-15', 'both:lookup', 3), ('2026-11-15', 'both:lookup:all', 5),
        ('2026-11-15', 'named:lookup', 2), ('2026-11-15', 'others:lookup:all', 7)`);
      const { counters } = await place.open();
      const of = (key: string) => ({ key, window: '2026-11-15', limit: 50 });
      const together = true;
      expect(
        await counters.used([
          of('both:lookup'),
          { ...of('both:lookup'), together },
          of('named:lookup'),
          { ...of('named:lookup'), together },
          of('others:lookup'),
          { ...of('others:lookup'), together },
          of('both:lookup:all'),
        ]),
      ).toEqual([3, 5, 2, 0, 0, 7, 5]);
    });

    it('leave nothing of a step that fails', async () => {
      await place.open();
      const failing: Migration = {
        name: 'failing',
        async up({ schema }) {
          await schema.createTable('half').addColumn('a', 'integer').execute();
          throw new Error('the second half failed');
        },
      };
      await withConnection((connected) =>
        expect(migrate(connected, [...HISTORY, failing])).rejects.toThrow('the second half failed'),
      );
      expect(await versions()).toHaveLength(RELEASED.length);
      await expect(place.ask('select * from half')).rejects.toThrow();
    });

    it('refuse a schema from a newer release, and leave it untouched', async () => {
      const store = await place.open();
      await store.counters.reserve([{ key: 'caller', window: '2026-11-15', limit: 5 }]);
      await store.close();
      await place.ask(`insert into schema_migrations values (${NEXT}, 'from the future', 0)`);
      const before = [await versions(), await place.ask('select * from counters')];
      await expect(place.open()).rejects.toThrow(
        `the database has schema version ${NEXT}, but this program knows only up to ${RELEASED.length}: run a newer release`,
      );
      expect([await versions(), await place.ask('select * from counters')]).toEqual(before);
    });
  });
}
