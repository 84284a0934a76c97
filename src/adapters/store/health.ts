import type { StoreHealth } from '../../ports/store-health.ts';
import { HISTORY } from './migrations/history.ts';
import type { Queries } from './tables.ts';
import type { Writes } from './writes.ts';

/** A job of this name is never seen: it is taken away in the transaction that makes it. */
const NAME = 'health';

export function sqlHealth(database: Queries, writes: Writes): StoreHealth {
  return {
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
      const { version } = await database
        .selectFrom('schema_migrations')
        .select(({ fn }) => fn.max('version').as('version'))
        .executeTakeFirstOrThrow();
      const known = HISTORY.length;
      if ((version ?? 0) === known) return 'ok';
      return (version ?? 0) > known ? 'newer' : 'older';
    },
  };
}
