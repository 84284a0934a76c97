import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Queries, Tables } from './tables.ts';

/** Which rows of a table are old, and in which order they go. */
export interface Oldest<Table extends keyof Tables> {
  readonly table: Table;
  readonly key: readonly (keyof Tables[Table] & string)[];
  readonly where: RawBuilder<boolean>;
  readonly orderBy: readonly (keyof Tables[Table] & string)[];
  readonly limit: number;
}

/** Deletes at most `limit` rows; answers how many. Those that somebody holds just now stay until the next time. */
export async function forgetOldest<Table extends keyof Tables>(
  queries: Queries,
  { forUpdateSkipLocked }: Dialect,
  { table, key, where, orderBy, limit }: Oldest<Table>,
): Promise<number> {
  const columns = named(key);
  // Chosen once and then deleted: a subquery with a limit may run again and delete more.
  const { numAffectedRows = 0n } = await sql`with old as materialized (
      select ${columns} from ${sql.table(table)} where ${where} order by ${named(orderBy)} limit ${limit}
      ${forUpdateSkipLocked}
    )
    delete from ${sql.table(table)} where (${columns}) in (select ${columns} from old)`.execute(queries);
  return Number(numAffectedRows);
}

function named(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** A column of times, before this one. */
export function isBefore(column: string, at: Date): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} < ${at.getTime()}`;
}
