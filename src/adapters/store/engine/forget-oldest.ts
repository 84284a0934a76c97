import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './dialect.ts';
import type { Queries, Tables } from './tables.ts';

/** Which rows to delete, and in which order. */
export interface Oldest<Table extends keyof Tables> {
  readonly table: Table;
  readonly key: readonly (keyof Tables[Table] & string)[];
  readonly where: RawBuilder<boolean>;
  readonly orderBy: readonly (keyof Tables[Table] & string)[];
  readonly limit: number;
}

/** Deletes at most `limit` rows; answers how many. Locked rows are left for the next time. */
export async function forgetOldest<Table extends keyof Tables>(
  queries: Queries,
  { forUpdateSkipLocked }: Dialect,
  { table, key, where, orderBy, limit }: Oldest<Table>,
): Promise<number> {
  const columns = named(key);
  // Materialized: PostgreSQL may evaluate a subquery with a limit more than once, and would delete more.
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

/** The time in this column is before `at`. */
export function isBefore(column: string, at: Date): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} < ${at.getTime()}`;
}
