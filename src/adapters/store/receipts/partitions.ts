import { sql } from 'kysely';
import { mondayOf, weekName, weeksLater } from '../../../core/receipt/iso-week.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';

/** The weeks that are partitions of their own; receipts from before are in `earlier`, those after them in `later`. */
export interface Weeks {
  readonly from: Date;
  readonly to: Date;
}

export async function partitionedWeeks(queries: Queries): Promise<Weeks> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bound
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'live_receipts'::regclass`.execute(queries);
  const boundOf = (partition: string) => {
    const bound = rows.find(({ name }) => name === `live_receipts_${partition}`)?.bound;
    const time = /\('(-?\d+)'\)/.exec(bound ?? '')?.[1];
    if (time === undefined) throw new Error(`live_receipts has no partition ${partition}`);
    return new Date(Number(time));
  };
  return { from: boundOf('earlier'), to: boundOf('later') };
}

/** Makes partitions of all weeks of this time that have none. Receipts of these weeks move into them. */
export async function coverWeeks(queries: Queries, dialect: Dialect, wanted: Weeks): Promise<void> {
  if (covers(await partitionedWeeks(queries), wanted)) return;
  await lockPartitions(queries, dialect);
  const there = await partitionedWeeks(queries);
  const [from, to] = [mondayOf(wanted.from), mondayOf(wanted.to)];
  if (from < there.from) await splitEarlier(queries, { from, to: there.from });
  if (to > there.to) await splitLater(queries, { from: there.to, to });
}

function covers(there: Weeks, wanted: Weeks): boolean {
  return there.from <= mondayOf(wanted.from) && mondayOf(wanted.to) <= there.to;
}

const LOCK_TIMEOUT = '2s';

/**
 * Everybody else waits behind this lock, so that it must not wait long for a transaction that reads for minutes, such
 * as a backup.
 */
async function lockPartitions(queries: Queries, dialect: Dialect): Promise<void> {
  await dialect.waitForTurn(queries, 'partitions of live receipts');
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(queries);
  await sql`lock table live_receipts in access exclusive mode`.execute(queries);
}

/** Before all receipts. */
const EVER = new Date(-8_640_000_000_000_000);

/** `earlier` and then the weeks that end before this moment. */
export async function partitionsBefore(queries: Queries, before: Date): Promise<readonly Weeks[]> {
  const { from, to } = await partitionedWeeks(queries);
  const end = before < to ? before : to;
  if (from > end) return [];
  const found: Weeks[] = [{ from: EVER, to: from }];
  for (let monday = from; weeksLater(monday, 1) <= end; monday = weeksLater(monday, 1)) {
    found.push({ from: monday, to: weeksLater(monday, 1) });
  }
  return found;
}

export async function partitionMark(queries: Queries, part: Weeks): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select concat(count(*), ' ', bit_xor(hashtextextended(id, 0))) AS mark from ${tableOf(nameOf(part))}`.execute(
    queries,
  );
  return rows[0]?.mark ?? '';
}

/** Only the oldest week, so that `earlier` can take its time over. */
export async function dropPartition(
  queries: Queries,
  dialect: Dialect,
  part: Weeks,
  mark: string,
): Promise<boolean> {
  const name = nameOf(part);
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(queries);
  // Keeps writers of this week out while its receipts are counted, and nobody else.
  await sql`lock table ${tableOf(name)} in share mode`.execute(queries);
  if ((await partitionMark(queries, part)) !== mark) return false;
  await lockPartitions(queries, dialect);
  const { from } = await partitionedWeeks(queries);
  if (name !== EARLIER && part.from.getTime() !== from.getTime()) return false;
  await detach(queries, name);
  await sql`drop table ${tableOf(name)}`.execute(queries);
  if (name === EARLIER)
    await sql`create table ${tableOf(EARLIER)} (like live_receipts including defaults, primary key (id))`.execute(
      queries,
    );
  else await detach(queries, EARLIER);
  await attachEarlier(queries, part.to);
  return true;
}

const EARLIER = 'earlier';

function nameOf({ from }: Weeks): string {
  return from.getTime() === EVER.getTime() ? EARLIER : weekName(from);
}

async function splitEarlier(queries: Queries, { from, to }: Weeks): Promise<void> {
  await detach(queries, 'earlier');
  await makeWeeks(queries, { from, to }, 'earlier');
  await attachEarlier(queries, from);
}

async function splitLater(queries: Queries, { from, to }: Weeks): Promise<void> {
  await detach(queries, 'later');
  await makeWeeks(queries, { from, to }, 'later');
  await sql`alter table live_receipts attach partition live_receipts_later
    for values from (${timeOf(to)}) to (maxvalue)`.execute(queries);
}

async function detach(queries: Queries, name: string): Promise<void> {
  await sql`alter table live_receipts detach partition ${tableOf(name)}`.execute(queries);
}

async function attachEarlier(queries: Queries, to: Date): Promise<void> {
  await sql`alter table live_receipts attach partition live_receipts_earlier
    for values from (minvalue) to (${timeOf(to)})`.execute(queries);
}

async function makeWeeks(queries: Queries, { from, to }: Weeks, source: string): Promise<void> {
  for (let monday = from; monday < to; monday = weeksLater(monday, 1)) {
    const table = tableOf(weekName(monday));
    const [begin, end] = [timeOf(monday), timeOf(weeksLater(monday, 1))];
    await sql`create table ${table} (like live_receipts including defaults, primary key (id))`.execute(
      queries,
    );
    await sql`with moved AS (
        delete from ${tableOf(source)}
        where mode in ('live', 'dry-run') and checked_at >= ${begin} and checked_at < ${end} returning *
      ) insert into ${table} select * from moved`.execute(queries);
    await sql`alter table live_receipts attach partition ${table}
      for values from (${begin}) to (${end})`.execute(queries);
  }
}

export function tableOf(partition: string) {
  return sql.table(`live_receipts_${partition}`);
}

/** Bounds of partitions are no parameters. */
function timeOf(at: Date) {
  return sql.lit(at.getTime());
}
