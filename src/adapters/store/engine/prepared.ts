import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import type { Queries } from './tables.ts';

interface PreparedQuery<Row> extends CompiledQuery<Row> {
  readonly preparedAs: string;
}

/**
 * A query that PostgreSQL parses and plans once per connection, under this name. Only for queries whose text is always the same
 * and names its columns (the server refuses a plan whose columns have changed), and which find their rows by an index: a plan
 * made for a small table is used until the server renews it.
 */
export function prepared<Row>(name: string, query: CompiledQuery<Row>): PreparedQuery<Row> {
  return { preparedAs: name, ...query };
}

export function preparedName(query: CompiledQuery): string | undefined {
  return 'preparedAs' in query && typeof query.preparedAs === 'string' ? query.preparedAs : undefined;
}

export function runPrepared<Row>(
  queries: Queries,
  name: string,
  query: Compilable<Row>,
): Promise<QueryResult<Row>> {
  return queries.executeQuery(prepared(name, query.compile()));
}
