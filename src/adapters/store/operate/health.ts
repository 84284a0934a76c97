import { sql } from 'kysely';
import type { StoreHealth } from '../../../ports/store-health.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { HISTORY } from '../migrations/history.ts';
import { schemaVersion } from '../migrations/schema-version.ts';
import { LAPSED_STATES } from '../payments/forget-payments.ts';

/** Of PostgreSQL: a standby has the identifier of the cluster that it was copied from. */
export const DATABASE_IDENTITY = sql<string>`(select system_identifier from pg_control_system())::text
  || '/' || current_database()`;

/** Never visible: the transaction that inserts this job deletes it. */
const NAME = 'health';

export function sqlHealth(database: Queries, writes: Writes, dialect: Dialect): StoreHealth {
  return {
    async clock() {
      const { now } = await database.selectNoFrom(dialect.clock.as('now')).executeTakeFirstOrThrow();
      return new Date(now);
    },
    write: () =>
      writes.unit(async (queries) => {
        await queries
          .insertInto('jobs')
          .values({ name: NAME })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute();
        await queries.deleteFrom('jobs').where('name', '=', NAME).execute();
      }),
    async schema() {
      const version = await schemaVersion(database);
      if (version === HISTORY.length) return 'ok';
      return version > HISTORY.length ? 'newer' : 'older';
    },
    async payments(most) {
      const counts = { claimed: 0, settling: 0, unknown: 0, settled: 0, rejected: 0 };
      for (const query of statesWithin(database, most)) {
        for (const { state } of await query.execute()) counts[state] += 1;
      }
      return counts;
    },
    async crawlLeft(runId) {
      const { hosts, urls } = await database
        .selectFrom('crawl_hosts')
        .where('run_id', '=', runId)
        .where('urls_left', '>', 0)
        .select(({ cast, fn }) => [
          fn.countAll<number>().as('hosts'),
          cast<number | null>(fn.sum('urls_left'), 'bigint').as('urls'),
        ])
        .executeTakeFirstOrThrow();
      return { hosts, urls: urls ?? 0 };
    },
    async written() {
      if (!dialect.isRemote) return null;
      const position = sql<string>`pg_current_wal_flush_lsn()::text`;
      return database
        .selectNoFrom([DATABASE_IDENTITY.as('database'), position.as('position')])
        .executeTakeFirstOrThrow();
    },
  };
}

/** One index each: open settlements, settled with their answer, claimed or rejected. */
function statesWithin(database: Queries, most: number) {
  const some = database.selectFrom('payments').select('state').limit(most);
  return [
    some.where('open_since', '>', 0),
    some.where('frozen_at', '>', 0),
    some.where('state', 'in', LAPSED_STATES).where('held_until', '>', 0),
  ];
}
