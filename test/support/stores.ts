import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { connectPostgres, openPostgres } from '../../src/adapters/store/postgres/open.ts';
import { connectSqlite, openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import type { Connected, Store } from '../../src/adapters/store/store.ts';
import { sqliteRows } from '../../tools/sqlite-rows.ts';
import { startServer } from '../../tools/store-server.ts';

/** An empty place for a store, which several handles and several processes can open. */
export interface Place {
  /** What store-writer.mjs opens. */
  readonly settings: { readonly file: string } | { readonly url: string };
  open(): Promise<Store>;
  /** The engine before its tables are looked at; whoever asks for it closes it. */
  connect(): Promise<Connected>;
  /** Rows of a query in plain SQL, past our own code. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
  /** What somebody finds who comes after a crash and shares nothing with those who were there before. */
  afterCrash(): Promise<Place>;
  /** Closes every handle and removes the place. */
  remove(): Promise<void>;
}

export type NewPlace = () => Promise<Place>;

export async function newSqlitePlace(): Promise<Place> {
  return sqlitePlaceIn(await mkdtemp(join(tmpdir(), 'assay-store-')));
}

function sqlitePlaceIn(folder: string): Place {
  const file = join(folder, 'assay.db');
  const handles = openHandles(() => openSqlite({ file }));
  return {
    settings: { file },
    open: handles.open,
    connect: () => connectSqlite(file),
    ask: (sql) => sqliteRows(file, sql),
    async afterCrash() {
      const copy = await mkdtemp(join(tmpdir(), 'assay-crash-'));
      // Without the shared index of the log: it has to be rebuilt, as after a restart of the machine.
      for (const name of ['assay.db', 'assay.db-wal']) await copyFile(join(folder, name), join(copy, name));
      return sqlitePlaceIn(copy);
    },
    async remove() {
      await handles.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Call it once in a test file: one server for all tests of the file, one schema for each place. */
export function usePostgres(): NewPlace {
  const server = { url: '', stop: async () => {} };
  beforeAll(async () => {
    Object.assign(server, await startServer());
  }, 60_000);
  afterAll(() => server.stop());
  return () => newPostgresPlace(server.url);
}

async function newPostgresPlace(serverUrl: string): Promise<Place> {
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(serverUrl);
  url.searchParams.set('options', `-c search_path=${schema}`);
  url.searchParams.set('application_name', schema);
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`create schema ${schema}`);
  const handles = openHandles(() => openPostgres({ url: url.href }));
  const place: Place = {
    settings: { url: url.href },
    open: handles.open,
    connect: async () => connectPostgres({ url: url.href }),
    ask: async (sql) => (await admin.query(sql)).rows,
    afterCrash: async () => ({ ...place, remove: async () => {} }),
    async remove() {
      await handles.close();
      await admin.query(`drop schema ${schema} cascade`);
      await admin.end();
    },
  };
  return place;
}

function openHandles(open: () => Promise<Store>) {
  const handles: Store[] = [];
  return {
    async open() {
      const store = await open();
      handles.push(store);
      return store;
    },
    async close() {
      await Promise.all(handles.map((store) => store.close()));
    },
  };
}
