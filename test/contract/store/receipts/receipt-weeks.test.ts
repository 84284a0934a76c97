import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HISTORY } from '../../../../src/adapters/store/migrations/history.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import { aReceipt, receiptId } from '../../../../tools/samples/store-receipts.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

const newPlace = useEmptyPostgres();
const WEEK_MS = 604_800_000;
const BEFORE = HISTORY.findIndex(({ name }) => name === 'receipt-weeks');

describe('live receipts by week on PostgreSQL', () => {
  let place: Place;

  beforeEach(async () => {
    place = await newPlace();
  });
  afterEach(() => place.remove());

  const upTo = async (steps: number) => {
    const connected = await place.connect();
    try {
      await migrate(connected, HISTORY.slice(0, steps));
    } finally {
      await connected.database.destroy();
    }
  };
  const insertOld = (n: number, checkedAt: string) =>
    place.ask(`insert into live_receipts (id, mode, checked_at, url_key, body)
      values ('${receiptId(n)}', 'live', ${checkedAt}, 'key', '{}')`);
  const partitions = async () =>
    (
      await place.ask(`select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent = 'live_receipts'::regclass order by relname`)
    ).map(({ name }) => String(name).replace('live_receipts_', ''));
  const whereIs = async (n: number) => {
    const rows = await place.ask(
      `select tableoid::regclass::text as name from live_receipts where id = '${receiptId(n)}'`,
    );
    return rows.map(({ name }) => String(name).replace('live_receipts_', ''));
  };
  const CLOCK = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

  it('the table becomes the first partition as it is, indexes included', async () => {
    await upTo(BEFORE);
    await insertOld(1, CLOCK);
    await insertOld(2, '1');
    const files = `select relfilenode::text as file from pg_class c
      where relkind in ('r', 'i') and (oid = $$TABLE$$::regclass
        or oid in (select indexrelid from pg_index where indrelid = $$TABLE$$::regclass)) order by relfilenode`;
    const of = (table: string) => place.ask(files.replaceAll('TABLE', table));
    const before = await of('live_receipts');
    await upTo(HISTORY.length);
    expect(before).toHaveLength(6);
    expect(await of('live_receipts_earlier')).toEqual(before);
    expect([await whereIs(1), await whereIs(2)]).toEqual([['earlier'], ['earlier']]);
    expect(
      await place.ask(`select conname from pg_constraint where contype = 'c' and
        conrelid = 'live_receipts_earlier'::regclass`),
    ).toEqual([]);
  });

  it('is not read by the step, because its end is known beforehand', async () => {
    await upTo(BEFORE);
    await insertOld(1, CLOCK);
    const connected = await place.connect();
    const step = HISTORY[BEFORE];
    for (const first of step?.onPostgresFirst ?? []) await connected.writes.unit(first);
    const scans = sql<{ count: number }>`
      select seq_scan as count from pg_stat_xact_user_tables where schemaname = current_schema() and relname in ('live_receipts', 'live_receipts_earlier')
      order by relname desc limit 1`;
    // The name of the table changes in between; its statistics stay.
    const counts = await connected.writes.unit(async (queries) => {
      await sql`set local enable_seqscan = off`.execute(queries);
      const before = await scans.execute(queries);
      await step?.up(queries, 'postgres');
      return [before, await scans.execute(queries)].map(({ rows }) => rows[0]?.count);
    });
    await connected.database.destroy();
    expect(counts[1]).toBe(counts[0]);
  });

  it('a receipt from ahead is moved and does not stop the step', async () => {
    await upTo(BEFORE);
    await insertOld(1, CLOCK);
    await insertOld(2, `${CLOCK} + ${10 * WEEK_MS}`);
    await upTo(HISTORY.length);
    expect([await whereIs(1), await whereIs(2)]).toEqual([['earlier'], ['later']]);
  });

  it('a step that ended between its parts is finished by the next start', async () => {
    await upTo(BEFORE);
    await insertOld(1, CLOCK);
    const connected = await place.connect();
    const [first] = HISTORY[BEFORE]?.onPostgresFirst ?? [];
    if (first !== undefined) await connected.writes.unit(first);
    await connected.database.destroy();
    await upTo(HISTORY.length);
    expect(await whereIs(1)).toEqual(['earlier']);
  });

  it('a step that fails leaves no end to the table of the release that serves on', async () => {
    await upTo(BEFORE);
    await insertOld(1, CLOCK);
    // The name that the step needs.
    await place.ask('create table live_receipts_later (id text)');
    await expect(upTo(HISTORY.length)).rejects.toThrow('live_receipts_later');
    await insertOld(2, `${CLOCK} + ${10 * WEEK_MS}`);
    await place.ask('drop table live_receipts_later');
    await upTo(HISTORY.length);
    expect([await whereIs(1), await whereIs(2)]).toEqual([['earlier'], ['later']]);
  });

  it('what the release before has prepared goes on', async () => {
    await upTo(BEFORE);
    if ('file' in place.settings) throw new Error('a file has no address');
    const client = new Client({ connectionString: place.settings.url });
    await client.connect();
    const insert = (n: number) =>
      client.query({
        name: 'add_receipt_and_entry',
        text: `with entry as (insert into log_entries (id, entry, queued_at) values ($1, $2, ${CLOCK}) on conflict (id) do nothing)
          insert into live_receipts (id, mode, ref, checked_at, url_key, spelling, body, listed)
          values ($3, $4, $5, $6, $7, $8, $9, $10)`,
        values: [
          ...[receiptId(n), 'entry', receiptId(n), 'live', null],
          ...[Date.now() + n, 'key', '', `body ${n}`, null],
        ],
      });
    const byId = async (n: number) =>
      (
        await client.query({
          name: 'receipt_by_id',
          text: 'select body from live_receipts where id = $1',
          values: [receiptId(n)],
        })
      ).rows;
    const page = async (below: number) =>
      (
        await client.query(
          `select id from live_receipts where mode = $1 and (checked_at, id) < ($2, $3)
            order by checked_at desc, id desc limit 9`,
          ['live', Date.now() + below, receiptId(below)],
        )
      ).rows.length;
    await insert(1);
    // Six times: then the server keeps one plan for all values.
    for (let n = 0; n < 6; n += 1) expect(await byId(1)).toEqual([{ body: 'body 1' }]);
    await upTo(HISTORY.length);
    await insert(2);
    expect([await byId(1), await byId(2), await byId(3)]).toEqual([
      [{ body: 'body 1' }],
      [{ body: 'body 2' }],
      [],
    ]);
    expect(await page(1_000)).toBe(2);
    await client.end();
  });

  it('a step that has to wait for a backup does not keep everybody else waiting', async () => {
    await upTo(BEFORE);
    await insertOld(1, CLOCK);
    if ('file' in place.settings) throw new Error('a file has no address');
    const connectionString = place.settings.url;
    const backup = new Client({ connectionString });
    // The patience of a request.
    const reader = new Client({ connectionString, statement_timeout: 5_000 });
    await Promise.all([backup.connect(), reader.connect()]);
    await backup.query('begin isolation level repeatable read');
    await backup.query('select id from live_receipts');
    const migrating = upTo(HISTORY.length);
    const isWaiting = async () =>
      (
        await reader.query(`select from pg_locks
          where relation = 'live_receipts'::regclass and mode = 'AccessExclusiveLock' and not granted`)
      ).rowCount;
    for (let time = 0; time < 2; time += 1) {
      await expect.poll(isWaiting, { interval: 10, timeout: 20_000 }).toBe(1);
      expect((await reader.query('select id from live_receipts')).rowCount).toBe(1);
    }
    await backup.query('commit');
    await migrating;
    expect(await whereIs(1)).toEqual(['earlier']);
    await Promise.all([backup.end(), reader.end()]);
  });

  describe('with room made', () => {
    const add = async (n: number, checkedAt: Date) =>
      (await place.open()).receipts.add(aReceipt({ id: receiptId(n), checkedAt }), 'key');
    const FAR = new Date('2027-06-16T12:00:00.000Z');

    it('has the weeks up to four after this one, once, whoever makes them', async () => {
      const stores = await Promise.all([place.open(), place.open(), place.open()]);
      await Promise.all(stores.map(({ receiptWeeks }) => receiptWeeks.prepare(FAR)));
      const made = await partitions();
      expect(made.slice(-7)).toEqual([
        ...['2027w24', '2027w25', '2027w26', '2027w27', '2027w28'],
        ...['earlier', 'later'],
      ]);
      await stores[0]?.receiptWeeks.prepare(new Date('2026-11-30T00:00:00.000Z'));
      expect(await partitions()).toEqual(made);
    });

    it('a receipt is in its week, and any time has a place', async () => {
      const { receiptWeeks } = await place.open();
      await receiptWeeks.prepare(FAR);
      const times: readonly [string, string][] = [
        ['2027-06-13T23:59:59.999Z', '2027w23'],
        ['2027-06-14T00:00:00.000Z', '2027w24'],
        ['2027-07-18T23:59:59.999Z', '2027w28'],
        ['2027-07-19T00:00:00.000Z', 'later'],
        ['1970-01-01T00:00:00.000Z', 'earlier'],
        ['9999-01-01T00:00:00.000Z', 'later'],
      ];
      for (const [n, [at, partition]] of times.entries()) {
        await add(n, new Date(at));
        expect(await whereIs(n)).toEqual([partition]);
      }
      expect(await receiptWeeks.ahead(1_000)).toBe(2);
      expect(await receiptWeeks.ahead(1)).toBe(1);
    });

    it('a receipt that came before its week was made moves into it', async () => {
      const { receiptWeeks, receipts } = await place.open();
      await add(1, FAR);
      expect(await whereIs(1)).toEqual(['later']);
      await receiptWeeks.prepare(FAR);
      expect(await whereIs(1)).toEqual(['2027w24']);
      expect(await receipts.byId(receiptId(1))).toMatchObject({ checkedAt: FAR });
      expect(await receiptWeeks.ahead(9)).toBe(0);
    });

    it('an id is given once, in whichever week', async () => {
      const { receiptWeeks, receipts } = await place.open();
      await receiptWeeks.prepare(FAR);
      await add(1, FAR);
      await expect(add(1, new Date(FAR.getTime() - WEEK_MS))).rejects.toThrow();
      expect(await receipts.byId(receiptId(1))).toMatchObject({ checkedAt: FAR });
      expect(await place.ask('select id from live_receipts')).toHaveLength(1);
    });
  });
});
