import type { Queries } from '../engine/tables.ts';

/** In the transaction of the write that changes what pages show. */
export async function raiseRevision(queries: Queries): Promise<void> {
  await queries
    .insertInto('seller_revision')
    .values({ id: 1, revision: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ eb, ref }) => ({
        revision: eb(ref('seller_revision.revision'), '+', 1),
      })),
    )
    .execute();
}
