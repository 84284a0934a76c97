import { sql } from 'kysely';
import { order } from '../../core/order.ts';
import type { CrawlRow } from '../../ports/crawl-runs.ts';
import type { CrawlWork, HostHold } from '../../ports/crawl-work.ts';
import { addBatch, BATCH_ROWS } from './crawl-runs.ts';
import { inBatches } from './in-batches.ts';
import type { Engine, Queries } from './tables.ts';
import type { Writes } from './writes.ts';

/** A hold that ran out stays its owner's until somebody else takes the host: nobody was there in between. */
export function crawlHolds(
  writes: Writes,
  engine: Engine,
): Pick<CrawlWork, 'take' | 'done' | 'renew' | 'release'> {
  return {
    async take(runId, owner, limit, leaseMs) {
      const rows = await writes.one((queries) =>
        freeHosts(queries, engine, runId, limit)
          .updateTable('crawl_hosts')
          .set({ owner, lease_until: leaseEnd(engine, leaseMs) })
          .where('run_id', '=', runId)
          .where('host', 'in', (from) => from.selectFrom('free').select('host'))
          .returning(['host', 'urls_left'])
          .execute(),
      );
      return rows
        .map(({ host, urls_left }) => ({ host, left: urls_left }))
        .sort((one, other) => other.left - one.left || order(one.host, other.host));
    },
    done: (hold, rows, leaseMs) =>
      writes.unit(async (queries) => {
        if (!(await lockHeld(queries, engine, hold))) return false;
        const refused: CrawlRow[] = [];
        let through = 0;
        for (const batch of inBatches(rows, BATCH_ROWS)) {
          const unkept = new Set(await addBatch(queries, engine, hold.runId, batch));
          through += await markDone(
            queries,
            hold,
            batch.filter((row) => !unkept.has(row)),
          );
          refused.push(...unkept);
        }
        await ofHolder(queries, hold)
          .set(({ eb }) => ({
            urls_left: eb('urls_left', '-', through),
            lease_until: leaseEnd(engine, leaseMs),
          }))
          .execute();
        return refused;
      }),
    async renew(hold, leaseMs) {
      const { numUpdatedRows } = await writes.one((queries) =>
        ofHolder(queries, hold)
          .set({ lease_until: leaseEnd(engine, leaseMs) })
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows === 1n;
    },
    async release(hold) {
      await writes.one((queries) => ofHolder(queries, hold).set({ owner: null, lease_until: 0 }).execute());
    },
  };
}

/** Milliseconds by the clock of the database, as it is when the statement gets there. */
function clock(engine: Engine) {
  return engine === 'sqlite'
    ? sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

function leaseEnd(engine: Engine, leaseMs: number) {
  return sql<number>`${clock(engine)} + ${leaseMs}`;
}

/** Chosen once and then taken: a subquery with a limit may run again and take more. */
function freeHosts(queries: Queries, engine: Engine, runId: string, limit: number) {
  return queries.with(
    (cte) => cte('free').materialized(),
    (from) =>
      from
        .selectFrom('crawl_hosts')
        .select('host')
        .where('run_id', '=', runId)
        .where('urls_left', '>', 0)
        // As a query of its own it is asked once, and an index can be searched by it.
        .where('lease_until', '<=', sql<number>`(select ${clock(engine)})`)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('crawl_work').select('run_id').where('run_id', '=', runId).where('sealed', '=', 1),
          ),
        )
        .orderBy('urls_left', 'desc')
        .orderBy('host')
        .limit(limit)
        .$if(engine === 'postgres', (rows) => rows.forUpdate().skipLocked()),
  );
}

/** While it is locked nobody else takes the host, even when its time runs out. */
async function lockHeld(
  queries: Queries,
  engine: Engine,
  { runId, host, owner }: HostHold,
): Promise<boolean> {
  const row = await queries
    .selectFrom('crawl_hosts')
    .select('host')
    .where('run_id', '=', runId)
    .where('host', '=', host)
    .where('owner', '=', owner)
    .$if(engine === 'postgres', (rows) => rows.forUpdate())
    .executeTakeFirst();
  return row !== undefined;
}

/** Answers how many of the URLs were not done before. */
async function markDone(
  queries: Queries,
  { runId, host }: HostHold,
  rows: readonly CrawlRow[],
): Promise<number> {
  const urlKeys = [...new Set(rows.map(({ urlKey }) => urlKey))];
  if (urlKeys.length === 0) return 0;
  const { numUpdatedRows } = await queries
    .updateTable('crawl_targets')
    .set({ done: 1 })
    .where('run_id', '=', runId)
    .where('url_key', 'in', urlKeys)
    .where('host', '=', host)
    .where('done', '=', 0)
    .executeTakeFirstOrThrow();
  const through = Number(numUpdatedRows);
  if (through < urlKeys.length) await requireTargets(queries, { runId, host }, urlKeys);
  return through;
}

/** What is done may be done again, but a URL that the host does not have is a fault of ours. */
async function requireTargets(
  queries: Queries,
  { runId, host }: Pick<HostHold, 'runId' | 'host'>,
  urlKeys: readonly string[],
): Promise<void> {
  const { found } = await queries
    .selectFrom('crawl_targets')
    .select(({ fn }) => fn.countAll<number>().as('found'))
    .where('run_id', '=', runId)
    .where('url_key', 'in', urlKeys)
    .where('host', '=', host)
    .executeTakeFirstOrThrow();
  if (found < urlKeys.length) throw new Error(`crawl run ${runId} lists no such URL of ${host}`);
}

function ofHolder(queries: Queries, { runId, host, owner }: HostHold) {
  return queries
    .updateTable('crawl_hosts')
    .where('run_id', '=', runId)
    .where('host', '=', host)
    .where('owner', '=', owner);
}
