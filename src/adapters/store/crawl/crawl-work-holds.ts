import { sql } from 'kysely';
import { order } from '../../../core/order.ts';
import type { CrawlWork, HostHold } from '../../../ports/crawl-work.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { keepFindings } from './crawl-work-done.ts';

/** Not durable: after a power cut a lease has expired anyway, and its URLs are probed again. */
const REPEATABLE = { isRepeatable: true } as const;

/** An expired lease can be renewed until another worker takes the host. */
export function crawlHolds(
  writes: Writes,
  dialect: Dialect,
): Pick<CrawlWork, 'take' | 'done' | 'renew' | 'release'> {
  return {
    async take(runId, owner, limit, leaseMs) {
      const rows = await writes.one(
        (queries) =>
          freeHosts(queries, dialect, runId, limit)
            .updateTable('crawl_hosts')
            .set({ owner, lease_until: dialect.leaseEnd(leaseMs) })
            .where('run_id', '=', runId)
            .where('host', 'in', (from) => from.selectFrom('free').select('host'))
            .returning(['host', 'urls_left'])
            .execute(),
        REPEATABLE,
      );
      return rows
        .map(({ host, urls_left }) => ({ host, left: urls_left }))
        .sort((one, other) => other.left - one.left || order(one.host, other.host));
    },
    done: (holder, findings, leaseMs) =>
      writes.unit((queries) => keepFindings(queries, dialect, holder, findings, leaseMs), REPEATABLE),
    async renew(hold, leaseMs) {
      const { numUpdatedRows } = await writes.one(
        (queries) =>
          ofHolder(queries, hold)
            .set({ lease_until: dialect.leaseEnd(leaseMs) })
            .executeTakeFirstOrThrow(),
        REPEATABLE,
      );
      return numUpdatedRows === 1n;
    },
    async release(hold) {
      await writes.one(
        (queries) => ofHolder(queries, hold).set({ owner: null, lease_until: 0 }).execute(),
        REPEATABLE,
      );
    },
  };
}

/** Materialized: PostgreSQL may evaluate a subquery with a limit more than once, and would take more hosts. */
function freeHosts(queries: Queries, dialect: Dialect, runId: string, limit: number) {
  return queries.with(
    (cte) => cte('free').materialized(),
    (from) =>
      from
        .selectFrom('crawl_hosts')
        .select('host')
        .where('run_id', '=', runId)
        .where('urls_left', '>', 0)
        // A scalar subquery is evaluated once, so the index can be searched by it.
        .where('lease_until', '<=', sql<number>`(select ${dialect.clock})`)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('crawl_work').select('run_id').where('run_id', '=', runId).where('sealed', '=', 1),
          ),
        )
        .orderBy('urls_left', 'desc')
        .orderBy('host')
        .limit(limit)
        .modifyEnd(dialect.forUpdateSkipLocked),
  );
}

function ofHolder(queries: Queries, { runId, host, owner }: HostHold) {
  return queries
    .updateTable('crawl_hosts')
    .where('run_id', '=', runId)
    .where('host', '=', host)
    .where('owner', '=', owner);
}
