import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSqlite, openSqlite } from '../../../src/adapters/store/sqlite/open.ts';
import type { Connected, Store } from '../../../src/adapters/store/store.ts';
import { sqliteRows } from '../../../tools/sqlite-rows.ts';

/** A database for one test, which several handles and several processes can open. */
export interface Place {
  /** What store-writer.mjs opens. */
  readonly settings: { readonly file: string } | { readonly url: string };
  open(): Promise<Store>;
  /** The engine before migrations run; the caller closes it. */
  connect(): Promise<Connected>;
  /** Rows of a query in plain SQL, past our own code. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
  /** The database as another machine finds it after a crash: nothing in memory is shared. */
  afterCrash(): Promise<Place>;
  /** Closes every handle and removes the database. */
  remove(): Promise<void>;
}

export type NewPlace = () => Promise<Place>;

/** A file with today's tables and no rows. */
export async function newSqlitePlace(): Promise<Place> {
  const folder = await newFolder();
  await copyFile(await migratedFile(), join(folder, FILE));
  return sqlitePlaceIn(folder);
}

/** No file yet: the first to open it runs the migrations. */
export async function newEmptySqlitePlace(): Promise<Place> {
  return sqlitePlaceIn(await newFolder());
}

const FILE = 'assay.db';

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'assay-store-'));
}

const template: { file?: Promise<string> } = {};

/** Migrated once per worker: eight migrations cost more than most tests. */
function migratedFile(): Promise<string> {
  template.file ??= (async () => {
    const folder = await newFolder();
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, FILE);
    // The last handle to close moves the log into the file, so one file is the whole database.
    await (await openSqlite({ file })).close();
    return file;
  })();
  return template.file;
}

function sqlitePlaceIn(folder: string): Place {
  const file = join(folder, FILE);
  const handles = openHandles(() => openSqlite({ file }));
  return {
    settings: { file },
    open: handles.open,
    connect: () => connectSqlite(file),
    ask: (sql) => sqliteRows(file, sql),
    async afterCrash() {
      const copy = await mkdtemp(join(tmpdir(), 'assay-crash-'));
      // Without the shared index of the log: it has to be rebuilt, as after a restart of the machine.
      for (const name of [FILE, `${FILE}-wal`]) await copyFile(join(folder, name), join(copy, name));
      return sqlitePlaceIn(copy);
    },
    async remove() {
      await handles.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Remembers the stores that a test opens, so that removing the place closes them. */
export function openHandles(open: () => Promise<Store>) {
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
