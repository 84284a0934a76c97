import { CompiledQuery } from 'kysely';
import type { Engine, Queries, Tables } from './tables.ts';

interface Insert<Name extends keyof Tables> {
  readonly table: Name;
  readonly columns: readonly (keyof Tables[Name] & string)[];
  /** What becomes of a row whose key is taken. */
  readonly onConflict: string;
}

/**
 * One statement for many rows, as plain text: building it of parts, value by value, takes longer than running it. Answers how
 * many rows were written.
 */
export async function insertRows<Name extends keyof Tables>(
  queries: Queries,
  engine: Engine,
  { table, columns, onConflict }: Insert<Name>,
  rows: readonly Tables[Name][],
): Promise<number> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const places =
    engine === 'sqlite' ? marks(rows.length, columns.length) : numbers(rows.length, columns.length);
  const text = `insert ${orRollback(engine)} into "${table}" (${names}) values ${places} on conflict ${onConflict}`;
  const values: unknown[] = [];
  for (const row of rows) for (const column of columns) values.push(row[column]);
  const { numAffectedRows } = await queries.executeQuery(CompiledQuery.raw(text, values));
  return Number(numAffectedRows);
}

/** A statement that can be undone alone has SQLite copy every page before it changes it; this one takes its transaction along. */
export function orRollback(engine: Engine): string {
  return engine === 'sqlite' ? 'or rollback' : '';
}

function marks(rows: number, columns: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  return Array.from({ length: rows }, () => row).join(', ');
}

function numbers(rows: number, columns: number): string {
  const row = (from: number) => Array.from({ length: columns }, (_, column) => `$${from + column + 1}`);
  return Array.from({ length: rows }, (_, index) => `(${row(index * columns).join(', ')})`).join(', ');
}
