import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Engine } from './tables.ts';

/** Whether a column has one of these values. One parameter for all of them, so that the statement is the same for any number. */
export function among(engine: Engine, column: string, values: readonly string[]): RawBuilder<SqlBool> {
  return engine === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${values}::text[])`;
}
