import type { SecretMark } from '../../../ports/store-health.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

/** The table has one row. */
const ID = 1;

export function sqlSecretMark(database: Queries, writes: Writes): SecretMark {
  const insert = (queries: Queries, fingerprint: string) =>
    queries.insertInto('secret_fingerprint').values({ id: ID, fingerprint });
  return {
    async keep(fingerprint) {
      await writes.one((queries) =>
        insert(queries, fingerprint)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute(),
      );
      const row = await database
        .selectFrom('secret_fingerprint')
        .select('fingerprint')
        .where('id', '=', ID)
        .executeTakeFirstOrThrow();
      return row.fingerprint;
    },
    async replace(fingerprint) {
      await writes.one((queries) =>
        insert(queries, fingerprint)
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ fingerprint }))
          .execute(),
      );
    },
  };
}
