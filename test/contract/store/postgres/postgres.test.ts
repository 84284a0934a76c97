import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectPostgres, openPostgres } from '../../../../src/adapters/store/postgres/open.ts';
import { storeOn } from '../../../../src/adapters/store/store.ts';
import { aReceipt, NOON, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { LONG_MS } from '../../../support/crawling/crawl-work.ts';
import { fragileWay } from '../../../support/paying/fragile-way.ts';
import { probeStart } from '../../../support/probing/probe-start.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

const newPlace = usePostgres();

describe('a PostgreSQL server', () => {
  let place: Place;

  beforeEach(async () => {
    place = await newPlace();
  });
  afterEach(() => place.remove());

  it.each([
    [
      'nobody listens',
      'postgres://assay:secret@127.0.0.1:1/assay',
      /^cannot reach the database 127\.0\.0\.1:1\/assay: .*ECONNREFUSED/,
    ],
    ['the address is none', 'postgres://secret', /^cannot reach the database secret:5432: /],
    [
      'the address cannot be read',
      'postgres://secret@[',
      /^cannot reach the database of the given address: /,
    ],
  ])('is refused in one line when %s', async (_, url, line) => {
    const fault: unknown = await openPostgres({ url, connectTimeoutMs: 2_000 }).catch(
      (thrown: unknown) => thrown,
    );
    const { message, cause } = Object(fault);
    expect(message).toMatch(line);
    expect(message).not.toContain('\n');
    expect(message).not.toContain('assay:secret');
    expect(cause).toBeInstanceOf(Error);
  });

  it('that drops its connections says so, and what was under way is done again, once', async () => {
    const { receipts } = await place.open();
    await place.ask('begin');
    await place.ask('lock table live_receipts in access exclusive mode');
    const writes = Array.from({ length: 40 }, (_, n) => receipts.add(aReceipt({ id: receiptId(n) }), 'key'));
    const settled = Promise.allSettled(writes);
    // Only the connections of this place: the server may be somebody else's.
    const ours = `from pg_stat_activity where application_name = current_schema() and pid <> pg_backend_pid()`;
    const waiting = `select count(*)::int as count ${ours} and wait_event_type = 'Lock'`;
    while ((await place.ask(waiting))[0]?.['count'] !== 10) {
      await wait(5);
      // Inside a transaction the server shows the same picture again unless it is told to look anew.
      await place.ask('select pg_stat_clear_snapshot()');
    }
    expect(await place.ask(`select pg_terminate_backend(pid) as ended ${ours}`)).toHaveLength(10);
    await place.ask('commit');
    const results = await settled;
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await place.ask('select id from live_receipts')).toHaveLength(40);
  });

  it('that no longer answers fails every call in time, and is used again when it does', async () => {
    const way = await fragileWay(databaseUrl(place));
    const store = await openPostgres({
      url: way.url,
      poolSize: 3,
      statementTimeoutMs: 200,
      connectTimeoutMs: 500,
    });
    const counter = { key: 'fragile', window: '2026-11-15', limit: 100 };
    await Promise.all([1, 2, 3].map(() => store.counters.reserve([counter])));
    way.die();
    const results = await Promise.allSettled([
      store.receipts.byId(receiptId(1)),
      store.receipts.add(aReceipt({ id: receiptId(1) }), 'key'),
      store.jobs.claim({ name: 'job', holder: 'a', now: new Date(0), leaseMs: 1 }),
      // These find no connection left.
      store.receipts.byId(receiptId(2)),
      store.counters.reserve([counter]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    way.heal();
    // No connection from before is used again: what was begun on it is nobody's.
    const again = await Promise.all([1, 2, 3].map(() => store.counters.reserve([counter])));
    expect(again.map(({ used }) => used[0]).sort()).toEqual([4, 5, 6]);
    await store.close();
    way.close();
  });

  it('tells how far a counter is that somebody else fills while it is asked for', async () => {
    const { counters } = await place.open();
    const counter = { key: 'shared', window: '2026-11-15', limit: 5 };
    await counters.reserve([counter]);
    await place.ask('begin');
    await place.ask('update counters set used = 5');
    const asked = counters.reserve([counter]);
    const waiting = `select count(*)::int as count from pg_stat_activity
      where application_name = current_schema() and wait_event_type = 'Lock'`;
    while ((await place.ask(waiting))[0]?.['count'] !== 1) {
      await wait(5);
      await place.ask('select pg_stat_clear_snapshot()');
    }
    await place.ask('commit');
    // Not the 1 that was there when the statement began.
    expect(await asked).toEqual({ granted: false, used: [5] });
  });

  it('prepares by name what nearly every request asks', async () => {
    if ('file' in place.settings) throw new Error('a file has no address');
    const connected = connectPostgres({ url: place.settings.url, poolSize: 1 });
    const { receipts, counters, close } = storeOn(connected);
    await receipts.byId(receiptId(1));
    await counters.reserve([{ key: 'caller', window: '2026-11-15', limit: 5 }]);
    const { rows } = await sql`select name from pg_prepared_statements order by name`.execute(
      connected.database,
    );
    expect(rows).toEqual([{ name: 'raise_counters_1' }, { name: 'receipt_by_id' }]);
    await close();
  });

  it('answers no integer that a number cannot hold', async () => {
    const { probes } = await place.open();
    const key = { urlKey: 'key', method: 'GET' } as const;
    await probes.keep(key, { observation: { kind: 'timed_out' }, probedAt: NOON, spelling: 'x' });
    await place.ask('update probe_cache set probed_at = 9007199254740993');
    await expect(probes.find(key, NOON)).rejects.toThrow('the database holds an integer beyond 2^53');
  });

  it('says that a URL is in flight or a target full without writing or locking anything', async () => {
    const { checks } = await place.open();
    for (const url of ['a/1', 'a/2', 'a/3'])
      expect((await checks.start(probeStart(url), LONG_MS)).kind).toBe('started');
    const version = () => place.ask('select xmin::text, xmax::text, ctid::text from target_slots');
    const before = await version();
    expect(await checks.start(probeStart('a/1'), LONG_MS)).toEqual({ kind: 'in_flight' });
    expect(await checks.start(probeStart('a/4'), LONG_MS)).toEqual({ kind: 'full' });
    expect(await version()).toEqual(before);
  });
});

function databaseUrl({ settings }: Place): URL {
  if ('file' in settings) throw new Error('a file has no address');
  return new URL(settings.url);
}
