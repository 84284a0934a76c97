import { sql } from 'kysely';
import { DIALECTS } from '../engine/dialect.ts';
import type { Engine, Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import type { Connected } from '../store.ts';
import { HISTORY } from './history.ts';
import { schemaVersion } from './schema-version.ts';
import { untilUnlocked, waitShortly } from './short-waits.ts';
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
  if (engine === 'sqlite') return applyAll(engine, writes, history);
  try {
    await prepareSteps(writes, history);
    await applyAll(engine, writes, history);
  } catch (fault) {
    // The first fault is the one to report; what could not be undone is finished or undone by the next start.
    await undoPrepared(writes, history).catch(() => {});
    throw fault;
  }
}

async function applyAll(engine: Engine, writes: Writes, history: readonly Migration[]): Promise<void> {
  const inTurn = () =>
    writes.unit(async (queries) => {
      await DIALECTS[engine].waitForTurn(queries, LOCK);
      if (engine === 'postgres') await waitShortly(queries);
      await createVersionTable(queries);
      const version = await schemaVersion(queries);
      if (version > history.length) {
        throw new Error(
          `the database has schema version ${version}, but this program knows only up to ${history.length}: run a newer release`,
        );
      }
      await apply(queries, engine, history, version);
    });
  await untilUnlocked(inTurn);
}

/** Nothing on a new store, whose tables are empty, and on a newer one, which is refused afterwards. */
async function prepareSteps(writes: Writes, history: readonly Migration[]): Promise<void> {
  const version = await writes.unit(async (queries) => {
    const { rows } = await sql`select from pg_class where oid = to_regclass('schema_migrations')`.execute(
      queries,
    );
    return rows.length === 0 ? history.length : schemaVersion(queries);
  });
  for (const { onPostgresFirst = [] } of history.slice(version)) {
    for (const work of onPostgresFirst) {
      const inTurn = () =>
        writes.unit(async (queries) => {
          await DIALECTS.postgres.waitForTurn(queries, LOCK);
          await waitShortly(queries);
          await work(queries);
        });
      await untilUnlocked(inTurn);
    }
  }
}

async function undoPrepared(writes: Writes, history: readonly Migration[]): Promise<void> {
  for (const { onPostgresFailed } of history) {
    if (onPostgresFailed === undefined) continue;
    await untilUnlocked(() =>
      writes.unit(async (queries) => {
        await DIALECTS.postgres.waitForTurn(queries, LOCK);
        await waitShortly(queries);
        await onPostgresFailed(queries);
      }),
    );
  }
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
