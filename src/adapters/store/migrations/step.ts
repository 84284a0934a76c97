import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

/** What a step works with. It knows no table by type: a step is frozen, and tables change after it. */
export type Database = Pick<Kysely<unknown>, 'schema'> & QueryExecutorProvider;

export type Engine = 'sqlite' | 'postgres';

/** One step from the schema before it to the next; never changed after a release. */
export interface Migration {
  readonly name: string;
  up(database: Database, engine: Engine): Promise<void>;
  /** Each in a transaction of its own before the step, on a store that has tables; may run again. For what takes long and keeps nobody out. */
  readonly onPostgresFirst?: readonly ((database: Database) => Promise<void>)[];
  /** Undoes `onPostgresFirst` after a failure, in a transaction of its own; does nothing once the step is applied. */
  readonly onPostgresFailed?: (database: Database) => Promise<void>;
}

/** SQLite orders text by its bytes. PostgreSQL does so only with this collation, whatever its locale. */
export function orderedText(engine: Engine): RawBuilder<unknown> {
  return engine === 'postgres' ? sql`text collate "C"` : sql`text`;
}

/** The end of a `create table` that makes SQLite keep rows in the tree of the primary key, without a second one. */
export function oneTree(engine: Engine): RawBuilder<unknown> {
  return engine === 'sqlite' ? sql`without rowid` : sql``;
}
