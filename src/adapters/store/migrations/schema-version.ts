import type { Queries } from '../engine/tables.ts';

/** The number of applied steps. */
export async function schemaVersion(queries: Queries): Promise<number> {
  const { version } = await queries
    .selectFrom('schema_migrations')
    .select(({ fn }) => fn.max<number | null>('version').as('version'))
    .executeTakeFirstOrThrow();
  return version ?? 0;
}
