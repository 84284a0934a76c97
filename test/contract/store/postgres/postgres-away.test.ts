import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queries } from '../../../../src/adapters/store/engine/tables.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import { connectPostgres } from '../../../../src/adapters/store/postgres/open.ts';
import { type Connected, type Store, storeOn } from '../../../../src/adapters/store/store.ts';
import { aReceipt, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { type FragileWay, fragileWay } from '../../../support/paying/fragile-way.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

const newPlace = usePostgres();

describe('a PostgreSQL server that goes away', () => {
  let place: Place;
  let way: FragileWay;
  let connected: Connected;
  let store: Store;

  beforeEach(async () => {
    place = await newPlace();
    if ('file' in place.settings) throw new Error('a file has no address');
    way = await fragileWay(new URL(place.settings.url));
    connected = connectPostgres({ url: way.url, poolSize: 4, connectTimeoutMs: 20_000 });
    await migrate(connected);
    store = storeOn(connected);
    await store.receipts.add(aReceipt({ id: receiptId(1) }), 'key');
  });
  afterEach(async () => {
    await store.close();
    way.close();
    await place.remove();
  });

  const raise = (queries: Queries) =>
    sql`insert into counters ("window", key, used) values ('w', 'raised', 1)
      on conflict ("window", key) do update set used = counters.used + 1`.execute(queries);
  const raised = async () => (await place.ask("select used from counters where key = 'raised'"))[0]?.['used'];

  /** Until the server has seen that a connection has ended, and undone what was begun on it. */
  const serverIsQuiet = async () => {
    const begun = `select from pg_stat_activity where application_name = current_schema()
      and pid <> pg_backend_pid() and state <> 'idle'`;
    while ((await place.ask(begun)).length > 0) await wait(5);
  };

  describe('in the middle of a transaction', () => {
    it.each<[string, string, 'unheard' | 'answered', 'kept' | 'failed', number, number | undefined]>([
      ['before it began: nothing was done', 'begin', 'unheard', 'kept', 1, 1],
      ['when it had begun: nothing was done', 'begin', 'answered', 'kept', 1, 1],
      ['before its statement arrived: the server undoes it', 'insert into counters', 'unheard', 'kept', 2, 1],
      ['after its statement: the server undoes it', 'insert into counters', 'answered', 'kept', 2, 1],
      ['before the commit arrived, which nobody can tell', 'commit', 'unheard', 'failed', 1, undefined],
      ['after the commit, which nobody can tell', 'commit', 'answered', 'failed', 1, 1],
    ])('%s', async (_, word, when, outcome, runs, count) => {
      let ran = 0;
      way.cutOn(word, when);
      const unit = connected.writes.unit(async (queries) => {
        ran += 1;
        await raise(queries);
      });
      const [result] = await Promise.allSettled([unit]);
      expect(result?.status).toBe(outcome === 'kept' ? 'fulfilled' : 'rejected');
      await serverIsQuiet();
      expect([ran, await raised()]).toEqual([runs, count]);
    });
  });

  it('while it reads, is asked again on another connection', async () => {
    way.cutOn('live_receipts', 'unheard');
    expect(await store.receipts.byId(receiptId(1))).toMatchObject({ id: receiptId(1) });
    way.cutOn('live_receipts', 'answered');
    expect(await store.receipts.byId(receiptId(1))).toMatchObject({ id: receiptId(1) });
    way.cutOn('live_receipts', 'answered');
    const text = sql`
      select id from live_receipts`;
    expect(await text.execute(connected.database)).toMatchObject({ rows: [{ id: receiptId(1) }] });
  });

  it('while a query reads and changes rows, is not asked again', async () => {
    way.cutOn('insert into "counters"', 'answered');
    const both = connected.database
      .with('kept', (from) =>
        from
          .insertInto('counters')
          .values({ window: 'w', key: 'raised', used: 1, used_together: 0 })
          .returning('used'),
      )
      .selectFrom('kept')
      .selectAll();
    await expect(both.execute()).rejects.toThrow();
    expect(await raised()).toBe(1);
  });

  it.each<['unheard' | 'answered', number | undefined]>([
    ['unheard', undefined],
    ['answered', 1],
  ])(
    'when a single statement was on its way, %s, is not told twice: it may have kept it',
    async (when, count) => {
      way.cutOn('insert into counters', when);
      await expect(connected.writes.one(raise)).rejects.toThrow();
      expect(await raised()).toBe(count);
    },
  );

  it('and comes back soon, costs nobody anything but the time', async () => {
    way.cut();
    // Until the ends of the idle connections have been heard.
    await wait(50);
    const counter = { key: 'caller', window: '2026-11-15', limit: 1_000 };
    const calls = Promise.all([
      ...Array.from({ length: 50 }, () => store.receipts.byId(receiptId(1))),
      ...Array.from({ length: 50 }, () => store.counters.reserve([counter])),
      ...Array.from({ length: 50 }, (_, n) => store.receipts.add(aReceipt({ id: receiptId(n + 10) }), 'key')),
    ]);
    await wait(300);
    way.heal();
    expect(await calls).toHaveLength(150);
    expect(await store.counters.reserve([counter])).toMatchObject({ granted: true, used: [51] });
    expect(await place.ask('select id from live_receipts')).toHaveLength(51);
  });

  it('for longer, is waited for once; then calls fail at once until it is back', async () => {
    way.cut();
    const slow = await Promise.allSettled(
      Array.from({ length: 50 }, () => store.receipts.byId(receiptId(1))),
    );
    expect(slow.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 'rejected'));
    const from = performance.now();
    await expect(store.receipts.byId(receiptId(1))).rejects.toThrow();
    // Whoever waits for the server does so for two seconds.
    expect(performance.now() - from).toBeLessThan(1_900);
    way.heal();
    expect(await store.receipts.byId(receiptId(1))).toMatchObject({ id: receiptId(1) });
  });

  it('and is a standby when it is back refuses a write, and is asked on another connection the next time', async () => {
    const alone = connectPostgres({ url: way.url, poolSize: 1 });
    const { receipts, close } = storeOn(alone);
    await sql`set default_transaction_read_only = on`.execute(alone.database);
    await expect(receipts.add(aReceipt({ id: receiptId(3) }), 'key')).rejects.toThrow(/read-only/);
    await receipts.add(aReceipt({ id: receiptId(3) }), 'key');
    await close();
  });
});

describe('a pool with no connection left', () => {
  it('lets a call wait for a while and then fails it, and counts those who wait', async () => {
    const place = await newPlace();
    if ('file' in place.settings) throw new Error('a file has no address');
    const connected = connectPostgres({ url: place.settings.url, poolSize: 2, connectTimeoutMs: 500 });
    await migrate(connected);
    const store = storeOn(connected);
    await place.ask('select pg_advisory_lock(1)');
    const busy = Array.from({ length: 2 }, () =>
      sql`select pg_advisory_lock_shared(1)`.execute(connected.database),
    );
    const waiting = Promise.allSettled(Array.from({ length: 5 }, () => store.receipts.byId(receiptId(1))));
    await expect.poll(() => store.waiting(), { interval: 1 }).toBe(5);
    expect((await waiting).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    expect(store.waiting()).toBe(0);
    await place.ask('select pg_advisory_unlock(1)');
    await Promise.all(busy);
    expect(await store.receipts.byId(receiptId(1))).toBeNull();
    await store.close();
    await place.remove();
  });
});
