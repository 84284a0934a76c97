import type { Dialect } from './dialect.ts';
import type { Queries, Tables } from './tables.ts';

interface Insert<Name extends keyof Tables> {
  readonly table: Name;
  readonly columns: readonly (keyof Tables[Name] & string)[];
  /** What follows `on conflict`. */
  readonly onConflict: string;
}

/** One statement for many rows; answers how many were written. As text: building it from nodes takes longer than running it. */
export async function insertRows<Name extends keyof Tables>(
  queries: Queries,
  dialect: Dialect,
  { table, columns, onConflict }: Insert<Name>,
  rows: readonly Tables[Name][],
): Promise<number> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const row = `(${columns.map(() => '?').join(', ')})`;
  const text = `insert ${dialect.orRollback} into "${table}" (${names})
    values ${rows.map(() => row).join(', ')} on conflict ${onConflict}`;
  const values: unknown[] = [];
  for (const one of rows) for (const column of columns) values.push(one[column]);
  const { numAffectedRows } = await queries.executeQuery(dialect.query(text, values));
  return Number(numAffectedRows);
}
