import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';

/**
 * Forgets at most so many rows: hosts first, so that nobody takes one whose URLs are gone. Once there are no more, the run
 * itself goes.
 */
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
    // Nobody lists anything meanwhile.
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  if (run === undefined) return 0;
  let forgotten = 0;
  for (const forget of [forgetHosts, forgetMembers, forgetTargets]) {
    forgotten += await forget(queries, runId, limit - forgotten);
    if (forgotten >= limit) return forgotten;
  }
  await queries.deleteFrom('crawl_work').where('run_id', '=', runId).execute();
  return forgotten;
}

// In each of these, up to the last row of the step and without a join: PostgreSQL would read the whole run for every step.

async function forgetHosts(queries: Queries, runId: string, limit: number): Promise<number> {
  const last = await queries
    .selectFrom('crawl_hosts')
    .select('host')
    .where('run_id', '=', runId)
    .orderBy('host')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  let rows = queries.deleteFrom('crawl_hosts').where('run_id', '=', runId);
  if (last !== undefined) rows = rows.where('host', '<=', last.host);
  const { numDeletedRows } = await rows.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function forgetMembers(queries: Queries, runId: string, limit: number): Promise<number> {
  const last = await queries
    .selectFrom('crawl_listed')
    .select(['list', 'url_key'])
    .where('run_id', '=', runId)
    .orderBy('list')
    .orderBy('url_key')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  let rows = queries.deleteFrom('crawl_listed').where('run_id', '=', runId);
  if (last !== undefined) {
    rows = rows.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('list', 'url_key'), '<=', tuple(last.list, last.url_key)),
    );
  }
  const { numDeletedRows } = await rows.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function forgetTargets(queries: Queries, runId: string, limit: number): Promise<number> {
  const last = await queries
    .selectFrom('crawl_targets')
    .select('url_key')
    .where('run_id', '=', runId)
    .orderBy('url_key')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  let rows = queries.deleteFrom('crawl_targets').where('run_id', '=', runId);
  if (last !== undefined) rows = rows.where('url_key', '<=', last.url_key);
  const { numDeletedRows } = await rows.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
