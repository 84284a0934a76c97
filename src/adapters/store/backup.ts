import { sql } from 'kysely';
import * as z from 'zod';
import { inBatches } from '../../core/concurrency/in-batches.ts';
import { DIALECTS } from './engine/dialect.ts';
import type { Engine, Queries, Tables } from './engine/tables.ts';
import { HISTORY } from './migrations/history.ts';
import { migrate } from './migrations/migrate.ts';
import { schemaVersion } from './migrations/schema-version.ts';
import { coverWeeks, partitionedWeeks } from './receipts/partitions.ts';
import type { Connected } from './store.ts';

/** What a restored store makes anew: tiles follow from the entries of the log, and prove these; snapshots from the last run. */
type MadeAnew = 'schema_migrations' | 'log_tiles' | 'snapshots' | 'snapshot_parts';

/** Every other table. A table comes before those that reference it. */
const TABLES = [
  'secret_fingerprint',
  'counters',
  'probe_cache',
  'target_slots',
  'probe_places',
  'live_receipts',
  'crawl_runs',
  'crawl_receipts',
  'crawl_pages',
  'payments',
  'quotes',
  'paid_calls',
  'spending',
  'service_checks',
  'jobs',
  'lookup_counts',
  'crawl_work',
  'crawl_hosts',
  'crawl_targets',
  'crawl_listed',
  'open_endpoints',
  'seller_revision',
  'retests',
  'replies',
  'watches',
  'webhook_events',
  'log_heads',
  'log_entries',
  'withdrawals',
  'corrections',
] as const satisfies readonly Exclude<keyof Tables, MadeAnew>[];

type TableName = (typeof TABLES)[number];

const row = z.record(z.string().regex(/^[a-z_]{1,64}$/), z.union([z.string(), z.number(), z.null()]));

/** The lines of a backup, head first. Both engines write the same format, so a backup also moves a store between them. */
export const backupLine = z.union([
  z.strictObject({
    assay_backup: z.literal(1),
    schema: z.int().min(1),
    /** Of a backup from before the fingerprint was a row of the store. */
    secret: z.string().nullable().optional(),
  }),
  z.strictObject({ table: z.enum(TABLES), rows: z.array(row) }),
  z.strictObject({ end: z.literal(true), rows: z.int() }),
]);

export type BackupLine = z.infer<typeof backupLine>;

const ROWS_A_LINE = 200;

/** A consistent snapshot, also of an older schema; writers are not blocked. Answers the number of rows. */
export async function copyOut(
  { database, engine }: Connected,
  write: (line: BackupLine) => Promise<void>,
): Promise<number> {
  // SQLite ignores the level: its transactions are snapshots anyway.
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (queries) => {
      await write({ assay_backup: 1, schema: await schemaVersion(queries) });
      const found = await tablesIn(queries, engine);
      let total = 0;
      for (const table of TABLES.filter((name) => found.has(name))) {
        for await (const rows of rowsOf(queries, table)) {
          total += rows.length;
          await write({ table, rows });
        }
      }
      await write({ end: true, rows: total });
      return total;
    });
}

type Row = z.infer<typeof row>;

async function* rowsOf(queries: Queries, table: TableName): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  for await (const one of queries.selectFrom(table).selectAll().stream(ROWS_A_LINE)) {
    rows.push({ ...one });
    if (rows.length < ROWS_A_LINE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/**
 * Fills an unused store with all rows or none. It is migrated to the backup's schema first, and to ours afterwards. `withLog` is part of
 * the same transaction, and called if the backup has the tables of the log.
 */
export async function copyIn(
  connected: Connected,
  lines: AsyncIterable<BackupLine>,
  withLog: (inside: Connected) => Promise<void> = async () => {},
): Promise<number> {
  const reading = lines[Symbol.asyncIterator]();
  const { value: head } = await reading.next();
  if (head === undefined || !('assay_backup' in head)) throw new Error('the file is no backup of assay');
  if (head.schema > HISTORY.length) {
    throw new Error(
      `the backup has schema version ${head.schema}, newer than this program: run a newer release`,
    );
  }
  await requireUnused(connected, head.schema);
  await migrate(connected, HISTORY.slice(0, head.schema));
  const total = await connected.database.transaction().execute(async (queries) => {
    const inserted = await insertAll(queries, reading, { ...connected, schema: head.schema });
    if ((await tablesIn(queries, connected.engine)).has('log_heads'))
      await withLog(within(queries, connected));
    return inserted;
  });
  await migrate(connected);
  return total;
}

/** Writes are part of the transaction. */
function within(database: Queries, { engine }: Connected): Connected {
  const writes: Connected['writes'] = {
    one: (work) => work(database),
    unit: (work) => work(database),
    end: async () => {},
  };
  return { engine, database, writes, waiting: () => 0 };
}

/** Unused: new, or left by a restore that failed. */
async function requireUnused({ database, engine }: Connected, schema: number): Promise<void> {
  const found = await tablesIn(database, engine);
  if (!found.has('schema_migrations')) return;
  const rows = await Promise.all(
    TABLES.filter((table) => found.has(table)).map((table) =>
      sql`select 1 from ${sql.table(table)} limit 1`.execute(database),
    ),
  );
  const isEmpty = rows.every(({ rows: some }) => some.length === 0);
  if (!isEmpty || (await schemaVersion(database)) > schema)
    throw new Error('the store has been used already');
}

async function tablesIn(queries: Queries, engine: Engine): Promise<ReadonlySet<string>> {
  const { rows } = await DIALECTS[engine].tableNames.execute(queries);
  return new Set(rows.map(({ name }) => name));
}

interface Into extends Pick<Connected, 'engine'> {
  readonly schema: number;
}

async function insertAll(queries: Queries, reading: AsyncIterator<BackupLine>, into: Into): Promise<number> {
  let total = 0;
  for (;;) {
    const { value: line, done } = await reading.next();
    if (done === true || line === undefined) throw new Error('the backup ends before its end');
    if ('end' in line) {
      if (line.rows !== total) throw new Error(`the backup has ${total} rows instead of ${line.rows}`);
      return total;
    }
    if (!('table' in line)) throw new Error('the backup begins a second time');
    if (line.table === 'live_receipts') await makeRoom(queries, line.rows, into);
    for (const rows of inBatches(line.rows, ROWS_A_STATEMENT)) await insertRows(queries, line.table, rows);
    total += line.rows.length;
  }
}

/** The first schema with a partition for each week. */
const WEEKS_SCHEMA = 20;
/** Receipts of a clock that was wrong get no weeks of their own. */
const FIRST_RECEIPT = Date.UTC(2025, 0, 6);

/** Weeks that were partitions are partitions again, so that they can be retired one by one. */
async function makeRoom(queries: Queries, rows: readonly Row[], { engine, schema }: Into): Promise<void> {
  if (!DIALECTS[engine].hasPartitions || schema < WEEKS_SCHEMA) return;
  const { to } = await partitionedWeeks(queries);
  const times = rows
    .map((one) => Number(one['checked_at']))
    .filter((at) => at >= FIRST_RECEIPT && at < to.getTime());
  if (times.length === 0) return;
  await coverWeeks(queries, DIALECTS[engine], { from: new Date(Math.min(...times)), to });
}

/** SQLite takes at most 32,766 values in a statement. */
const ROWS_A_STATEMENT = 200;

async function insertRows(queries: Queries, table: TableName, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const values = rows.map((one) => sql`(${sql.join(columns.map((column) => sql`${one[column] ?? null}`))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(queries);
}
