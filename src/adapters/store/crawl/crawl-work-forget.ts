import { sql } from 'kysely';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries, Tables } from '../engine/tables.ts';

/** Hosts first, so that nobody takes one whose URLs are gone. */
const KEYS = [
  ['crawl_hosts', ['host']],
  ['crawl_listed', ['list', 'url_key']],
  ['crawl_targets', ['url_key']],
] as const satisfies readonly [keyof Tables, readonly string[]][];

/** Deletes at most `limit` rows of a run; answers how many. The row of the run itself goes with the last of them. */
export async function forgetWork(
  queries: Queries,
  dialect: Dialect,
  runId: string,
  limit: number,
): Promise<number> {
  const run = await queries
    .selectFrom('crawl_work')
    .select('run_id')
    .where('run_id', '=', runId)
    // Nothing is listed until the transaction ends.
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  if (run === undefined) return 0;
  let forgotten = 0;
  for (const [table, key] of KEYS) {
    forgotten += await forgetRows(queries, table, key, runId, limit - forgotten);
    if (forgotten >= limit) return forgotten;
  }
  await queries.deleteFrom('crawl_work').where('run_id', '=', runId).execute();
  return forgotten;
}

/** Up to the last row of the batch and without a join: with one, PostgreSQL would read the whole run for every batch. */
async function forgetRows(
  queries: Queries,
  table: keyof Tables,
  key: readonly string[],
  runId: string,
  limit: number,
): Promise<number> {
  const rowsOfRun = sql`from ${sql.table(table)} where run_id = ${runId}`;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { rows } = await sql<Readonly<Record<string, string>>>`
    select ${columns} ${rowsOfRun} order by ${columns} limit 1 offset ${limit - 1}`.execute(queries);
  const [last] = rows;
  const upToLast =
    last === undefined ? sql`` : sql`and (${columns}) <= (${sql.join(key.map((column) => last[column]))})`;
  const { numAffectedRows } = await sql`delete ${rowsOfRun} ${upToLast}`.execute(queries);
  return Number(numAffectedRows);
}
