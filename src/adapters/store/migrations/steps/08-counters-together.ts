import { sql } from 'kysely';
import type { Database } from '../step.ts';

/**
 * An address used to be counted in a row of its own, whose key ended in `:all`. Its count is copied. The old rows stay for a
 * release that still runs, and are pruned with their windows.
 */
export async function countersTogether(database: Database): Promise<void> {
  await database.schema
    .alterTable('counters')
    .addColumn('used_together', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`
    insert into counters ("window", key, used, used_together)
    select "window", substr(key, 1, length(key) - 4), 0, used from counters where key like '%:all'
    on conflict ("window", key) do update set used_together = excluded.used_together`.execute(database);
}
