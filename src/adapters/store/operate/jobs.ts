import type { JobRecord, JobStore } from '../../../ports/job-store.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

export function sqlJobs(database: Queries, writes: Writes, dialect: Dialect): JobStore {
  return {
    async read(name) {
      const row = await jobNamed(database, name).executeTakeFirst();
      return row === undefined ? null : recordOf(row);
    },
    claim: ({ name, holder, now, leaseMs }) =>
      writes.unit(async (queries) => {
        // There must be a row to lock.
        await queries
          .insertInto('jobs')
          .values({ name })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute();
        const row = await jobNamed(queries, name).modifyEnd(dialect.forUpdate).executeTakeFirstOrThrow();
        const { numUpdatedRows } = await queries
          .updateTable('jobs')
          .set({ holder, held_until: dialect.leaseEnd(leaseMs), started_at: now.getTime() })
          .where('name', '=', name)
          .where(({ eb, or }) =>
            or([
              eb('holder', 'is', null),
              eb('holder', '=', holder),
              eb('held_until', 'is', null),
              eb('held_until', '<=', dialect.clock),
            ]),
          )
          .executeTakeFirstOrThrow();
        return numUpdatedRows === 1n ? recordOf(row) : null;
      }),
    async save({ name, holder, leaseMs }, state) {
      const { numUpdatedRows } = await writes.one((queries) =>
        queries
          .updateTable('jobs')
          .set({ state, held_until: dialect.leaseEnd(leaseMs) })
          .where('name', '=', name)
          .where('holder', '=', holder)
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows === 1n;
    },
    async finish({ name, holder, now }, state) {
      const { numUpdatedRows } = await writes.one((queries) =>
        queries
          .updateTable('jobs')
          .set({ state, finished_at: now.getTime(), holder: null, held_until: null })
          .where('name', '=', name)
          .where('holder', '=', holder)
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows === 1n;
    },
  };
}

function jobNamed(queries: Queries, name: string) {
  return queries.selectFrom('jobs').selectAll().where('name', '=', name);
}

function recordOf({ name, state, started_at, finished_at }: Tables['jobs']): JobRecord {
  return {
    name,
    state,
    startedAt: started_at === null ? null : new Date(started_at),
    finishedAt: finished_at === null ? null : new Date(finished_at),
  };
}
