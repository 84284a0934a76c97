import { setTimeout as wait } from 'node:timers/promises';
import { Kysely } from 'kysely';
import * as z from 'zod';
import { faultLine } from '../engine/fault-line.ts';
import type { Tables } from '../engine/tables.ts';
import { migrate } from '../migrations/migrate.ts';
import { type Connected, type Store, storeOn } from '../store.ts';
import { type Control, groupCommit } from './group-commit.ts';
import { sqliteInTurn } from './in-turn.ts';
import { loadSqlite, type SqliteFile, type SqliteModule } from './module.ts';
import { makePrivate } from './private-file.ts';
import { cachedStatements } from './statements.ts';
import { NO_WAL_FILE, type WalFile, walFile, walSync } from './wal-sync.ts';

/** Opens the store in this file. Creates the file and its folder if needed, for their owner only. */
export async function openSqlite({ file }: { readonly file: string }): Promise<Store> {
  const connected = await connectSqlite(file);
  try {
    await migrate(connected);
    // Statement journals above 64 kB would be files. Not before the migrations: building an index sorts in temporary files.
    connected.control('pragma temp_store = memory');
  } catch (fault) {
    await connected.database.destroy();
    throw fault;
  }
  return storeOn(connected);
}

/** The open file, before any migration. `control` runs a bare statement on the one connection. */
export async function connectSqlite(path: string): Promise<Connected & { readonly control: Control }> {
  const file = await openFile(await loadSqlite(), path);
  const wal = walSync(walFileOf(file));
  const statements = cachedStatements(file);
  const control: Control = (statement) => statements.prepare(statement).run([]);
  const database = new Kysely<Tables>({ dialect: sqliteInTurn({ database: statements }, wal) });
  const { waiting, ...writes } = groupCommit(database, { control, wal });
  return { engine: 'sqlite', database, writes, waiting, control };
}

/** Moves the write-ahead log, which has deleted rows, into the file and empties it. False while other processes read from it. */
export async function emptyWal(path: string): Promise<boolean> {
  const file = await openFile(await loadSqlite(), path);
  try {
    const [row] = file.prepare('pragma wal_checkpoint(truncate)').all();
    return checkpointRow.parse(row).busy === 0;
  } finally {
    file.close();
  }
}

const checkpointRow = z.object({ busy: z.int() });

/** SQLite follows symbolic links, and its log is beside the real file. An in-memory database has no file. */
function walFileOf(database: SqliteFile): WalFile {
  const [row] = database.prepare("select file from pragma_database_list where name = 'main'").all();
  const { file } = databaseRow.parse(row);
  return file === '' ? NO_WAL_FILE : walFile(`${file}-wal`);
}

const databaseRow = z.object({ file: z.string() });

async function openFile({ DatabaseSync }: SqliteModule, path: string): Promise<SqliteFile> {
  try {
    makePrivate(path);
    return await prepareFile(new DatabaseSync(path));
  } catch (cause) {
    throw new Error(`cannot open the database file ${path}: ${faultLine(cause)}`, { cause });
  }
}

async function prepareFile(file: SqliteFile): Promise<SqliteFile> {
  try {
    file.exec(`pragma busy_timeout = ${BUSY_MS}`);
    await switchToWal(file);
    requireWal(file);
    // SQLite syncs only around checkpoints; the group commit syncs the log.
    file.exec('pragma synchronous = normal');
    file.exec('pragma foreign_keys = on');
    // What is deleted, such as a withdrawn receipt, is overwritten in the file. No measurable cost.
    file.exec('pragma secure_delete = on');
    file.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    file.exec(`pragma cache_size = -${CACHE_KB}`);
    return file;
  } catch (fault) {
    file.close();
    throw fault;
  }
}

/** Processes that create the same file concurrently get SQLITE_BUSY here, sometimes without the busy timeout. */
async function switchToWal(file: SqliteFile): Promise<void> {
  const giveUpAt = Date.now() + BUSY_MS;
  for (;;) {
    try {
      // Not as a prepared statement, for which the package reports no error code.
      return file.exec('pragma journal_mode = wal');
    } catch (fault) {
      if (!isBusy(fault) || Date.now() >= giveUpAt) throw fault;
      await wait(RETRY_MS);
    }
  }
}

/** Durability rests on syncing the log. */
function requireWal(file: SqliteFile): void {
  const [row] = file.prepare('pragma journal_mode').all();
  const { journal_mode: mode } = journalRow.parse(row);
  if (mode !== 'wal' && mode !== 'memory') throw new Error(`its journal can only be ${mode}, not a log`);
}

const journalRow = z.object({ journal_mode: z.string() });

function isBusy(fault: unknown): boolean {
  const code = fault instanceof Error && 'errcode' in fault ? fault.errcode : null;
  return typeof code === 'number' && (code & PRIMARY_CODE) === SQLITE_BUSY;
}

const BUSY_MS = 5_000;
/** 32 MB: a page that many calls change is written back to the file once. */
const CHECKPOINT_PAGES = 8_000;
/** Keys are hashes, in random order: with the default of 2 MB, a large run reads a page for nearly every row. */
const CACHE_KB = 32_000;
const RETRY_MS = 20;
const SQLITE_BUSY = 5;
/** Extended error codes keep the primary code in their lowest byte. */
const PRIMARY_CODE = 0xff;
