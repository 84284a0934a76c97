import type { Compilable, QueryResult } from 'kysely';
import type { Queries } from './tables.ts';

/**
 * Statements that PostgreSQL reads and plans once for each connection, under a name, instead of every time. Only where the text
 * is always the same and names its columns (a plan whose columns change is refused by the server), and where rows are found by
 * an index: a plan that was made for a small table is used until the server looks at it again.
 */
const names = new Map<string, string>();

export function prepared(name: string, text: string): string {
  names.set(text, name);
  return text;
}

export function preparedName(text: string): string | undefined {
  return names.get(text);
}

/** Runs a query that is prepared under this name. */
export function runPrepared<Row>(
  queries: Queries,
  name: string,
  query: Compilable<Row>,
): Promise<QueryResult<Row>> {
  const compiled = query.compile();
  if (!names.has(compiled.sql)) prepared(name, compiled.sql);
  return queries.executeQuery(compiled);
}
