import { type RawBuilder, sql } from 'kysely';
import type { Database, Engine } from '../step.ts';

/**
 * PostgreSQL keeps live receipts in partitions by time: `earlier`, one for each week, `later`. No row is copied: the table becomes
 * the partition `earlier` and keeps its indexes. `later` instead of a default partition, which has no place in the
 * order of the others: a page would have to look into all of them.
 */
export async function receiptWeeks(database: Database, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return;
  const end = (await plannedEnd(database)) ?? (await nextMonday(database));
  await run(database, sql`alter table live_receipts rename to live_receipts_earlier`);
  for (const name of [...INDEXES.keys(), 'pkey']) {
    await run(
      database,
      sql`alter index ${sql.id(`live_receipts_${name}`)} rename to ${sql.id(`live_receipts_earlier_${name}`)}`,
    );
  }
  await run(
    database,
    sql`create table live_receipts (like live_receipts_earlier including defaults) partition by range (checked_at)`,
  );
  // An index over an id alone cannot be the parent's, so that every partition has its own primary key.
  for (const [name, columns] of INDEXES) {
    await run(
      database,
      sql`create index ${sql.id(`live_receipts_${name}`)} on live_receipts (${sql.raw(columns)})`,
    );
  }
  await run(
    database,
    sql`create table live_receipts_later (like live_receipts including defaults, primary key (id))`,
  );
  // Written by a clock that was wrong. Both modes by name, for the index.
  await run(
    database,
    sql`with moved AS (
        delete from live_receipts_earlier
        where mode in ('live', 'dry-run') and checked_at >= ${sql.lit(end)} returning *
      ) insert into live_receipts_later select * from moved`,
  );
  await attach(database, 'earlier', sql`from (minvalue) to (${sql.lit(end)})`);
  await attach(database, 'later', sql`from (${sql.lit(end)}) to (maxvalue)`);
  await run(
    database,
    sql`alter table live_receipts_earlier drop constraint if exists ${sql.id(`${PLANNED}${end}`)}`,
  );
}

/**
 * Attaching reads the whole table, unless a constraint says what is in it. Added and validated beforehand, while
 * others write: 10,000,000 receipts take a while to read.
 */
export const beforeReceiptWeeks: readonly ((database: Database) => Promise<void>)[] = [
  async (database) => {
    if (!(await isOneTable(database)) || (await plannedEnd(database)) !== null) return;
    const end = await nextMonday(database);
    if ((await newest(database)) >= end) return;
    const name = sql.id(`${PLANNED}${end}`);
    await run(
      database,
      sql`alter table live_receipts add constraint ${name} check (checked_at < ${sql.lit(end)}) not valid`,
    );
  },
  async (database) => {
    const end = await plannedEnd(database);
    if (end === null) return;
    await run(database, sql`alter table live_receipts validate constraint ${sql.id(`${PLANNED}${end}`)}`);
  },
];

/** Without the step the constraint would refuse every receipt from that Monday on, and the release before may serve on. */
export async function undoBeforeReceiptWeeks(database: Database): Promise<void> {
  const end = (await isOneTable(database)) ? await plannedEnd(database) : null;
  if (end === null) return;
  await run(database, sql`alter table live_receipts drop constraint ${sql.id(`${PLANNED}${end}`)}`);
}

const INDEXES: ReadonlyMap<string, string> = new Map([
  ['by_time', 'mode, checked_at desc, id desc'],
  ['by_ref', 'mode, ref, checked_at desc, id desc'],
  ['by_url', 'url_key, mode, checked_at desc, id desc'],
  ['by_spelling', 'url_key, mode, spelling, checked_at desc, id desc'],
]);
const PLANNED = 'live_receipts_before_';
const WEEK_MS = 604_800_000;
/** The first Monday after 1970-01-01 UTC. */
const MONDAY_MS = 345_600_000;
/** Until the step is through, the constraint forbids what a clock that runs ahead would write after it. */
const AHEAD_MS = 86_400_000;

async function run(database: Database, statement: RawBuilder<unknown>): Promise<void> {
  await statement.execute(database);
}

async function attach(database: Database, name: string, bounds: RawBuilder<unknown>): Promise<void> {
  const partition = sql.id(`live_receipts_${name}`);
  await run(database, sql`alter table live_receipts attach partition ${partition} for values ${bounds}`);
}

async function nextMonday(database: Database): Promise<number> {
  const { rows } = await sql<{ now: string }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint::text AS now`.execute(database);
  const from = Number(rows[0]?.now) + AHEAD_MS;
  return MONDAY_MS + Math.ceil((from - MONDAY_MS) / WEEK_MS) * WEEK_MS;
}

async function isOneTable(database: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_class where oid = to_regclass('live_receipts') and relkind = 'r'`.execute(database);
  return rows.length === 1;
}

/** The end of the partition `earlier`, once the constraint about it is there. */
async function plannedEnd(database: Database): Promise<number | null> {
  const { rows } = await sql<{ name: string }>`
    select conname AS name from pg_constraint
    where conrelid = to_regclass('live_receipts') and starts_with(conname, ${PLANNED})`.execute(database);
  const name = rows[0]?.name;
  return name === undefined ? null : Number(name.slice(PLANNED.length));
}

/** Of both modes, each by its index. */
async function newest(database: Database): Promise<number> {
  const { rows } = await sql<{ newest: string | null }>`
    select greatest(
      (select max(checked_at) from live_receipts where mode = 'live'),
      (select max(checked_at) from live_receipts where mode = 'dry-run'))::text AS newest`.execute(database);
  return Number(rows[0]?.newest ?? 0);
}
