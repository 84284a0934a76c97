import { sql } from 'kysely';
import { inBatches } from '../../../core/concurrency/in-batches.ts';
import type { CrawlRow } from '../../../ports/crawl-runs.ts';
import type { HostFindings, HostHold } from '../../../ports/crawl-work.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import { addBatch, BATCH_ROWS } from './crawl-runs.ts';

type Holder = Pick<HostHold, 'runId' | 'owner'>;

/**
 * One transaction for many hosts costs hardly more than one for a single host. The statements are raw SQL: each runs for a few
 * rows, and the query builder would double its cost.
 */
export async function keepFindings(
  queries: Queries,
  dialect: Dialect,
  holder: Holder,
  findings: readonly HostFindings[],
  leaseMs: number,
): Promise<readonly (false | readonly CrawlRow[])[]> {
  if (findings.length === 0) return [];
  const held = await lockHeld(queries, dialect, holder, findings);
  const found = findings
    .filter(({ host }) => held.has(host))
    .flatMap(({ host, rows }) => rows.map((row) => ({ host, row })));
  const refused = new Set<CrawlRow>();
  const through = new Map([...held].map((host) => [host, 0]));
  for (const batch of inBatches(found, BATCH_ROWS)) {
    const rows = batch.map(({ row }) => row);
    for (const row of await addBatch(queries, dialect, holder.runId, rows)) refused.add(row);
    const kept = batch.filter(({ row }) => !refused.has(row));
    const hostOf = new Map(kept.map(({ host, row }) => [row.urlKey, host]));
    for (const host of await markDone(queries, dialect, holder.runId, hostOf)) {
      through.set(host, (through.get(host) ?? 0) + 1);
    }
  }
  await lowerLeft(queries, dialect, holder, through, leaseMs);
  return findings.map(({ host, rows }) => held.has(host) && rows.filter((row) => refused.has(row)));
}

/** Locked hosts cannot be taken by another worker, even if their lease expires meanwhile. */
async function lockHeld(
  queries: Queries,
  dialect: Dialect,
  { runId, owner }: Holder,
  findings: readonly HostFindings[],
): Promise<ReadonlySet<string>> {
  const hosts = findings.map(({ host }) => host);
  const { rows } = await sql<Pick<Tables['crawl_hosts'], 'host'>>`
    select host from crawl_hosts
    where run_id = ${runId} and ${dialect.among('host', hosts)} and owner = ${owner}
    order by host ${dialect.forUpdate}`.execute(queries);
  return new Set(rows.map(({ host }) => host));
}

/** Answers the host of every URL that is newly done. */
async function markDone(
  queries: Queries,
  dialect: Dialect,
  runId: string,
  hostOf: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  if (hostOf.size === 0) return [];
  const urlKeys = [...hostOf.keys()];
  // The unary plus keeps SQLite off the partial index on `done = 0`, where it would scan the whole run.
  const { rows: marked } = await sql<Pick<Tables['crawl_targets'], 'url_key' | 'host'>>`
    update ${sql.raw(dialect.orRollback)} crawl_targets set done = 1
    where run_id = ${runId} and ${dialect.among('url_key', urlKeys)} and +done = 0
    returning url_key, host`.execute(queries);
  const known =
    marked.length === hostOf.size
      ? marked
      : await queries
          .selectFrom('crawl_targets')
          .select(['url_key', 'host'])
          .where('run_id', '=', runId)
          .where(dialect.among('url_key', urlKeys))
          .execute();
  requireTargets(runId, hostOf, new Map(known.map(({ url_key, host }) => [url_key, host])));
  return marked.map(({ host }) => host);
}

/** Repeating a finished URL is fine. A URL that the host does not have is a bug. */
function requireTargets(
  runId: string,
  hostOf: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string>,
): void {
  for (const [urlKey, host] of hostOf) {
    if (known.get(urlKey) !== host) throw new Error(`crawl run ${runId} lists no such URL of ${host}`);
  }
}

/** One statement for all hosts with the same number of finished URLs. */
async function lowerLeft(
  queries: Queries,
  dialect: Dialect,
  { runId, owner }: Holder,
  through: ReadonlyMap<string, number>,
  leaseMs: number,
): Promise<void> {
  const counts = new Set(through.values());
  for (const count of counts) {
    const hosts = [...through.keys()].filter((host) => through.get(host) === count);
    await sql`
      update ${sql.raw(dialect.orRollback)} crawl_hosts
      set urls_left = urls_left - ${count}, lease_until = ${dialect.leaseEnd(leaseMs)}
      where run_id = ${runId} and ${dialect.among('host', hosts)} and owner = ${owner}`.execute(queries);
  }
}
