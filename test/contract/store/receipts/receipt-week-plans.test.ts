import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPostgres } from '../../../../src/adapters/store/postgres/open.ts';
import { type Connected, type Store, storeOn } from '../../../../src/adapters/store/store.ts';
import { CLOCKS_APART_MS } from '../../../../src/core/is-dated-ahead.ts';
import { newestPosition } from '../../../../src/core/receipt/cursor.ts';
import { mondayOf, weekName, weeksLater } from '../../../../src/core/receipt/iso-week.ts';
import { receiptId } from '../../../../tools/samples/store-receipts.ts';
import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import type { Place } from '../../../support/storing/stores.ts';

const newPlace = useEmptyPostgres();
const ROWS_A_WEEK = 1_000;
const WEEKS = 12;
const EMPTY: ReadonlySet<string> = new Set(['live_receipts_earlier', 'live_receipts_later']);

/** What is read is counted by the server, partition by partition, and not what a plan may say. */
describe('reading live receipts by week', () => {
  let place: Place;
  let connected: Connected;
  let store: Store;
  let first: Date;

  beforeAll(async () => {
    place = await newPlace();
    await (await place.open()).receiptWeeks.prepare(new Date());
    if ('file' in place.settings) throw new Error('a file has no address');
    connected = connectPostgres({ url: place.settings.url, poolSize: 1, statementTimeoutMs: 60_000 });
    store = storeOn(connected);
    const rows = await place.ask(
      `select (regexp_match(pg_get_expr(relpartbound, oid), '\\((?:''(\\d+)'')\\)'))[1]::bigint as begin
        from pg_class where oid = 'live_receipts_earlier'::regclass`,
    );
    first = new Date(Number(rows[0]?.['begin']));
    await store.receiptWeeks.prepare(weeksLater(first, WEEKS - 5));
    // Listed rows are read as they are; their text is not what this is about.
    await place.ask(`insert into live_receipts (id, mode, ref, checked_at, url_key, spelling, body, listed)
      select 'sc-' || lpad(to_hex(n), 16, '0'), 'live', 'ref' || n % 50, ${first.getTime()} + n * 604800::bigint,
        'key' || n % 1000, '', '{}', '{}' from generate_series(1, ${ROWS_A_WEEK * WEEKS - 1}) n`);
    await place.ask('analyze live_receipts');
  });
  afterAll(async () => {
    await store.close();
    await place.remove();
  });

  const scans = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(connected.database);
    await sql`select 1`.execute(connected.database);
    const rows =
      await place.ask(`select relname as name, seq_scan::int as whole, coalesce(idx_scan, 0)::int as found
      from pg_stat_user_tables where schemaname = current_schema() and relname like 'live_receipts%'`);
    return new Map(rows.map(({ name, whole, found }) => [String(name), [Number(whole), Number(found)]]));
  };
  /** How many probes of an index each partition got, of those that got some. */
  const probes = async (read: () => Promise<unknown>) => {
    const before = await scans();
    // The codec refuses these texts, after they were read.
    await read().catch(() => {});
    const after = await scans();
    const used = [...after].map(([name, [whole = 0, found = 0]]) => {
      const [wholeBefore = 0, foundBefore = 0] = before.get(name) ?? [];
      // To read an empty table from end to end costs nothing.
      if (!EMPTY.has(name)) expect([name, whole]).toEqual([name, wholeBefore]);
      return [name.replace('live_receipts_', ''), found - foundBefore] as const;
    });
    return Object.fromEntries(used.filter(([, count]) => count > 0));
  };
  const lastly = () => new Date(weeksLater(first, WEEKS).getTime() - CLOCKS_APART_MS - 1);
  const week = (n: number) => weekName(mondayOf(weeksLater(first, n)));

  it.each([null, 'ref7'])('a page of %s stops at the newest weeks', async (ref) => {
    const touched = await probes(() =>
      store.receipts.page({ type: 'live', ref }, newestPosition(lastly()), 20),
    );
    expect(touched[week(WEEKS - 1)]).toBe(1);
    expect(Object.keys(touched).length).toBeLessThanOrEqual(3);
  });

  it.each([null, 'ref7'])('a later page of %s starts in its week', async (ref) => {
    const below = { checkedAt: new Date(weeksLater(first, 6).getTime() - 1), id: receiptId(1) };
    const touched = await probes(() => store.receipts.page({ type: 'live', ref }, below, 20));
    expect(touched[week(5)]).toBe(1);
    expect(touched[week(6)]).toBeUndefined();
    expect(Object.keys(touched).length).toBeLessThanOrEqual(2);
  });

  it('a receipt by id is one probe in each week', async () => {
    const touched = await probes(() => store.receipts.byId(receiptId(5_000)));
    expect(Object.values(touched).every((count) => count === 1)).toBe(true);
    expect(Object.keys(touched).length).toBeLessThanOrEqual(WEEKS + 2);
  });

  it('the last receipts of a URL are found by its index, newest week first', async () => {
    const wanted = { mode: 'live', limit: 2, now: lastly() } as const;
    // One in each week.
    const touched = await probes(() => store.receipts.latestOf('key7', wanted));
    expect(Object.keys(touched).length).toBeLessThanOrEqual(4);
    const way = { url: 'https://a.example/x', method: 'GET', isNeutral: true } as const;
    const asked = await probes(() => store.receipts.latestAsked('key7', way, wanted));
    expect(Object.values(asked).every((count) => count <= 2)).toBe(true);
  });

  it('the receipts of a week are read in it alone', async () => {
    const time = { from: weeksLater(first, 3), to: weeksLater(first, 4) };
    expect(await probes(() => store.receiptWeeks.read('live', time, null, 100))).toEqual({ [week(3)]: 1 });
  });

  it('the oldest receipt is found from the oldest week on', async () => {
    const touched = await probes(() => store.receiptWeeks.oldest(new Date(0)));
    expect(touched[week(0)]).toBeGreaterThanOrEqual(1);
  });
});
