import { DIALECTS } from '../engine/dialect.ts';
import type { Engine, Queries } from '../engine/tables.ts';
import type { Connected } from '../store.ts';
import { HISTORY } from './history.ts';
import { schemaVersion } from './schema-version.ts';
import type { Migration } from './step.ts';

/** An advisory lock. Every release takes the same one, so that two of them do not migrate at the same time. */
const LOCK = 4_402_001;

/**
 * Applies the missing steps in one transaction, in one process at a time. A newer schema is refused and left unchanged: this
 * program would misread it.
 */
export async function migrate(
  { engine, writes }: Connected,
  history: readonly Migration[] = HISTORY,
): Promise<void> {
  await writes.unit(async (queries) => {
    await DIALECTS[engine].waitForTurn(queries, LOCK);
    await createVersionTable(queries);
    const version = await schemaVersion(queries);
    if (version > history.length) {
      throw new Error(
        `the database has schema version ${version}, but this program knows only up to ${history.length}: run a newer release`,
      );
    }
    await apply(queries, engine, history, version);
  });
}

/** Undone by the rollback when the schema is refused. */
async function createVersionTable({ schema }: Queries): Promise<void> {
  await schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
}

async function apply(
  queries: Queries,
  engine: Engine,
  history: readonly Migration[],
  from: number,
): Promise<void> {
  for (const [index, { name, up }] of history.entries()) {
    if (index < from) continue;
    await up(queries, engine);
    await queries
      .insertInto('schema_migrations')
      .values({ version: index + 1, name, applied_at: Date.now() })
      .execute();
  }
}
