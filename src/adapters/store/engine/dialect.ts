import { createHash } from 'node:crypto';
import { CompiledQuery, type QueryExecutorProvider, type RawBuilder, type SqlBool, sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { Engine, Tables } from './tables.ts';

/** Every difference between SQLite and PostgreSQL that queries see. */
export interface Dialect {
  /** Every statement is a round trip to a server. */
  readonly isRemote: boolean;
  /** Live receipts are in a partition for each week. */
  readonly hasPartitions: boolean;
  /** A query from text, with `?` for each value. */
  query<Row>(text: string, values: readonly unknown[]): CompiledQuery<Row>;
  /** A query that PostgreSQL plans once per connection, under this name. */
  statement<Row>(name: string, text: string): (values: readonly unknown[]) => CompiledQuery<Row>;
  /**
   * Statements that change different tables as one query, which is one round trip. Null where each is run by itself. None sees
   * what another one changes, and all values follow each other.
   */
  together<Row>(
    name: string,
    texts: readonly string[],
  ): ((values: readonly unknown[]) => CompiledQuery<Row>) | null;
  /** Milliseconds by the clock of the database, read when the statement runs. */
  readonly clock: RawBuilder<number>;
  readonly clockText: string;
  leaseEnd(leaseMs: number): RawBuilder<number>;
  /** The column has one of these values. One parameter for all, so the statement is the same for any number of them. */
  among(column: string, values: readonly string[]): RawBuilder<SqlBool>;
  contains(text: RawBuilder<string>, part: string): RawBuilder<SqlBool>;
  /** Ends a select and locks its rows until the transaction ends. SQLite has one writer at a time and needs no lock. */
  readonly forUpdate: RawBuilder<unknown>;
  /** The same, without the rows that another transaction has locked. */
  readonly forUpdateSkipLocked: RawBuilder<unknown>;
  /**
   * Follows `insert` or `update`: a failure rolls back the transaction. By default SQLite copies every page before it
   * changes it, to be able to undo the statement alone. PostgreSQL aborts the transaction in any case.
   */
  readonly orRollback: string;
  /** Lets one transaction at a time past this name, or past the advisory lock of this number. */
  waitForTurn(queries: QueryExecutorProvider, name: string | number): Promise<void>;
  /** After many rows were added. PostgreSQL chooses its plans by statistics, which it refreshes only now and then. */
  refreshStatistics(queries: QueryExecutorProvider, table: keyof Tables): Promise<void>;
  /** The tables of this store; a server may hold other stores, each in its own schema. */
  readonly tableNames: RawBuilder<{ name: string }>;
}

const SQLITE_CLOCK_TEXT = "cast(round(unixepoch('subsec') * 1000) AS integer)";
const SQLITE_CLOCK = sql.raw<number>(SQLITE_CLOCK_TEXT);
const POSTGRES_CLOCK_TEXT = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
const POSTGRES_CLOCK = sql.raw<number>(POSTGRES_CLOCK_TEXT);

const SQLITE: Dialect = {
  isRemote: false,
  hasPartitions: false,
  query: (text, values) => CompiledQuery.raw(text, [...values]),
  statement: (_name, text) => (values) => CompiledQuery.raw(text, [...values]),
  together: () => null,
  clock: SQLITE_CLOCK,
  clockText: SQLITE_CLOCK_TEXT,
  leaseEnd: (leaseMs) => sql`${SQLITE_CLOCK} + ${leaseMs}`,
  among: (column, values) =>
    sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  forUpdate: sql``,
  forUpdateSkipLocked: sql``,
  orRollback: 'or rollback',
  waitForTurn: async () => {},
  refreshStatistics: async () => {},
  tableNames: sql`select name from sqlite_master where type = 'table'`,
};

const POSTGRES: Dialect = {
  isRemote: true,
  hasPartitions: true,
  query: (text, values) => CompiledQuery.raw(numberedValues(text), [...values]),
  statement(name, text) {
    const numbered = numberedValues(text);
    return (values) => prepared(name, CompiledQuery.raw(numbered, [...values]));
  },
  together(name, texts) {
    const before = texts.slice(0, -1).map((text, index) => `change_${index + 1} as (${text})`);
    return POSTGRES.statement(name, `with ${before.join(', ')} ${texts.at(-1)}`);
  },
  clock: POSTGRES_CLOCK,
  clockText: POSTGRES_CLOCK_TEXT,
  leaseEnd: (leaseMs) => sql`${POSTGRES_CLOCK} + ${leaseMs}`,
  among: (column, values) => sql`${sql.ref(column)} = any(${values}::text[])`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  forUpdate: sql`for update`,
  forUpdateSkipLocked: sql`for update skip locked`,
  orRollback: '',
  async waitForTurn(queries, name) {
    const lock = typeof name === 'number' ? String(name) : lockNumber(name);
    await sql`select pg_advisory_xact_lock(${lock}::bigint)`.execute(queries);
  },
  async refreshStatistics(queries, table) {
    await sql`analyze ${sql.table(table)}`.execute(queries);
  },
  tableNames: sql`select tablename as name from pg_tables where schemaname = current_schema()`,
};

export const DIALECTS: Readonly<Record<Engine, Dialect>> = { sqlite: SQLITE, postgres: POSTGRES };

function numberedValues(text: string): string {
  let count = 0;
  return text.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}

/** Two names with the same number would only wait for each other. */
function lockNumber(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}
