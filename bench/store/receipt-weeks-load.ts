import type { Client } from 'pg';
import { weekName, weeksLater } from '../../src/core/receipt/iso-week.ts';

const INDEXES = [
  'mode, checked_at desc, id desc',
  'mode, ref, checked_at desc, id desc',
  'url_key, mode, checked_at desc, id desc',
  'url_key, mode, spelling, checked_at desc, id desc',
];
/** URLs that receipts are about; a popular one has many. */
export const URLS = 200_000;

/** The id of the n-th row, spread like the random ones of a service. */
export const ID = "'sc-' || substr(md5(n::text), 1, 16)";
const URL_KEY = `md5('u' || n % ${URLS}) || md5('k' || n % ${URLS})`;

interface Rows {
  readonly from: Date;
  readonly to: Date;
  /** The number of the first row, and how many there are. */
  readonly first: number;
  readonly count: number;
}

/** Copies of the one receipt that the table `model` has, each with an id and a time of its own. */
function rowsOf({ from, to, first, count }: Rows): string {
  const step = (to.getTime() - from.getTime()) / count;
  return `select ${ID}, 'live', case when n % 10 = 0 then 'agent-' || n % 1000 end,
      ${from.getTime()} + ((n - ${first}) * ${step})::bigint, ${URL_KEY},
      replace(body, model.id, ${ID}), replace(listed, model.id, ${ID}), substr(md5('s' || n % ${URLS}), 1, 16)
    from generate_series(${first}::bigint, ${first + count - 1}) n, model`;
}

const COLUMNS = '(id, mode, ref, checked_at, url_key, body, listed, spelling)';

/** Into a table that has its indexes. */
export async function loadRows(client: Client, table: string, rows: Rows): Promise<void> {
  await client.query(`insert into ${table} ${COLUMNS} ${rowsOf(rows)}`);
}

/** As a partition of its own. Indexes are built when the rows are there, which takes a fraction of the time. */
export async function loadWeek(client: Client, rows: Rows): Promise<void> {
  const table = `live_receipts_${weekName(rows.from)}`;
  await client.query('begin');
  await client.query(`create table ${table} (like live_receipts including defaults)`);
  await loadRows(client, table, rows);
  await client.query(`alter table ${table} add primary key (id)`);
  for (const columns of INDEXES) await client.query(`create index on ${table} (${columns})`);
  await client.query(`alter table live_receipts attach partition ${table}
    for values from (${rows.from.getTime()}) to (${rows.to.getTime()})`);
  await client.query('commit');
}

/** Takes the weeks before the end of `earlier` out of it, empty as it is. */
export async function loadWeeks(
  client: Client,
  { weeks, count, onWeek }: { weeks: number; count: number; onWeek: (done: number) => void },
): Promise<{ readonly from: Date; readonly to: Date }> {
  const { rows } = await client.query<{ end: string }>(
    `select (regexp_match(pg_get_expr(relpartbound, oid), '\\(''(\\d+)''\\)'))[1] as end
      from pg_class where oid = 'live_receipts_earlier'::regclass`,
  );
  const to = new Date(Number(rows[0]?.end));
  const from = weeksLater(to, -weeks);
  await client.query('alter table live_receipts detach partition live_receipts_earlier');
  await client.query(`alter table live_receipts attach partition live_receipts_earlier
    for values from (minvalue) to (${from.getTime()})`);
  const perWeek = Math.floor(count / weeks);
  for (let week = 0; week < weeks; week += 1) {
    const [begin, end] = [weeksLater(from, week), weeksLater(from, week + 1)];
    await loadWeek(client, { from: begin, to: end, first: week * perWeek, count: perWeek });
    onWeek(week + 1);
  }
  await client.query('analyze live_receipts');
  return { from, to };
}
