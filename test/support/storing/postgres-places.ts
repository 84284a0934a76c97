import { randomBytes } from 'node:crypto';
import { Client, DatabaseError } from 'pg';
import { afterAll, inject } from 'vitest';
import { connectPostgres, openPostgres } from '../../../src/adapters/store/postgres/open.ts';
import { storeOn } from '../../../src/adapters/store/store.ts';
import type {} from './shared-postgres.ts';
import { type NewPlace, openHandles, type Place } from './stores.ts';

/** Call it once in a test file. Places have today's tables and no rows. */
export function usePostgres(): NewPlace {
  const free: Schema[] = [];
  afterAll(async () => {
    for (const schema of free.splice(0)) await schema.drop();
  });
  return async () => {
    const schema = free.pop() ?? (await migratedSchema());
    return placeIn(schema, async () => {
      if (await schema.empty()) free.push(schema);
      else await schema.drop();
    });
  };
}

/** Places without tables: the first to open one runs the migrations. */
export function useEmptyPostgres(): NewPlace {
  return async () => {
    const schema = await newSchema();
    return placeIn(schema, schema.drop);
  };
}

/** A schema of its own is to a store what a database is. */
interface Schema {
  readonly url: string;
  readonly admin: Client;
  readonly isMigrated: boolean;
  /** Deletes every row. False when the tables are no longer those of the start. */
  empty(): Promise<boolean>;
  drop(): Promise<void>;
}

async function migratedSchema(): Promise<Schema> {
  const schema = await newSchema();
  await (await openPostgres({ url: schema.url })).close();
  const { admin } = schema;
  const made = await shapeOf(admin);
  return {
    ...schema,
    isMigrated: true,
    async empty() {
      // A killed process may have left a statement running, which must not write into the next test.
      await admin.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where application_name = current_schema() and pid <> pg_backend_pid()`);
      if ((await shapeOf(admin)) !== made) return false;
      await deleteRows(admin);
      return true;
    },
  };
}

async function newSchema(): Promise<Schema> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(await workerDatabase());
  url.searchParams.set('options', `-c search_path=${name}`);
  url.searchParams.set('application_name', name);
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`create schema ${name}`);
  return {
    url: url.href,
    admin,
    isMigrated: false,
    empty: async () => false,
    async drop() {
      await admin.query(`drop schema ${name} cascade`);
      await admin.end();
    },
  };
}

/**
 * Advisory locks belong to a database: with one for each worker, two test files never wait for each other. On somebody
 * else's server there is only the one that was named.
 */
async function workerDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  if (process.env['TEST_DATABASE_URL'] !== undefined) return url.href;
  const name = `worker_${process.env['VITEST_POOL_ID'] ?? '0'}`;
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await admin.query(`create database ${name}`);
  } finally {
    await admin.end();
  }
  url.pathname = `/${name}`;
  return url.href;
}

/** Columns, indexes, triggers and the history of the schema, in one text. */
async function shapeOf(admin: Client): Promise<string> {
  try {
    const { rows } = await admin.query(`select
      (select string_agg(concat_ws(' ', c.relname, c.relhastriggers, a.attname, a.atttypid, a.attnotnull, a.atthasdef),
          ',' order by c.relname, a.attnum)
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = current_schema()::regnamespace and a.attnum > 0) as columns,
      (select string_agg(version::text, ',' order by version) from schema_migrations) as versions`);
    return JSON.stringify(rows);
  } catch (fault) {
    if (fault instanceof DatabaseError) return `no shape: ${fault.message}`;
    throw fault;
  }
}

/** Rows that point at others go first. */
async function deleteRows(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(`select relname as name from pg_class c
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'schema_migrations'
    order by exists (select from pg_constraint where conrelid = c.oid and contype = 'f') desc`);
  await admin.query(rows.map(({ name }) => `delete from ${name}`).join(';'));
}

/** The limits of a request are not what these tests are about: a hundred calls at once take long on a busy machine. */
const PATIENT = { connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 };

function placeIn({ url, admin, isMigrated }: Schema, giveBack: () => Promise<void>): Place {
  // Looking for migrations takes a pool of its own, which costs more than most tests.
  const handles = openHandles(async () =>
    isMigrated ? storeOn(connectPostgres({ url, ...PATIENT })) : openPostgres({ url, ...PATIENT }),
  );
  const place: Place = {
    settings: { url },
    open: handles.open,
    connect: async () => connectPostgres({ url, ...PATIENT }),
    ask: async (sql) => (await admin.query(sql)).rows,
    afterCrash: async () => ({ ...place, remove: async () => {} }),
    async remove() {
      await handles.close();
      await giveBack();
    },
  };
  return place;
}
