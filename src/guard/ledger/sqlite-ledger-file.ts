import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { loadSqlite, type SqliteFile, type SqliteStatement } from '../../adapters/store/sqlite/module.ts';
import { makePrivate } from '../../adapters/store/sqlite/private-file.ts';
import { localPath } from '../local-path.ts';
import { LedgerFault } from './ledger-fault.ts';
import { createIndexes, createTable } from './ledger-sql.ts';
import { realFile } from './real-file.ts';

export const TABLE = 'purchase';
/** Raised with every change of the tables. */
const FORMAT = 1;

export interface LedgerFile {
  /** Without symbolic links. */
  readonly path: string;
  all(sql: string, values: readonly unknown[]): unknown[];
  run(sql: string, values: readonly unknown[]): void;
  /** One transaction; what it throws undoes it. */
  transaction<T>(work: () => T): T;
  /** What it commits is on the disk before this returns, if it has to be. */
  durably<T>(durable: boolean, work: () => T): T;
  /** Throws when others would open another file by this path: they would count without us, and we without them. */
  requireInPlace(): void;
  close(): void;
}

/** Where the file is: `~/` is the home folder, and a relative path counts from the working directory, or from `folder`. */
export function ledgerPath(path: string, folder?: string): string {
  if (path === '' || path === ':memory:')
    throw new LedgerFault('a ledger needs the path of a file; memoryLedger() keeps purchases in memory');
  return localPath(path, folder);
}

export async function openLedgerFile(path: string, busyMs: number): Promise<LedgerFile> {
  const { DatabaseSync } = await loadSqlite();
  const real = realFile(path);
  makePrivate(real);
  const file = new DatabaseSync(real);
  try {
    file.exec(`pragma busy_timeout = ${busyMs}`);
    // Before anything is written: the file of a newer release, or of something else, keeps every byte.
    requireKnownFormatAlone(file);
    await switchToWal(file, busyMs);
    file.exec('pragma synchronous = normal');
    createTables(file);
  } catch (fault) {
    file.close();
    throw fault;
  }
  return ledgerFile(file, { path, real });
}

function ledgerFile(
  file: SqliteFile,
  { path, real }: { readonly path: string; readonly real: string },
): LedgerFile {
  const place = placeOf(real);
  const statements = new Map<string, SqliteStatement>();
  const prepared = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = file.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    path: real,
    all: (sql, values) => prepared(sql).all(...values),
    run: (sql, values) => {
      prepared(sql).run(...values);
    },
    transaction: (work) => inTransaction(file, work),
    durably(durable, work) {
      if (!durable) return work();
      // A commit syncs the whole log, so everything before it is on the disk as well.
      file.exec('pragma synchronous = full');
      try {
        return work();
      } finally {
        file.exec('pragma synchronous = normal');
      }
    },
    requireInPlace() {
      if (placeOf(path) !== place)
        throw new LedgerFault('the file was removed or replaced while it was open');
    },
    close() {
      statements.clear();
      try {
        // The package closes the file only when its statements are garbage-collected, which would delay the checkpoint.
        file.exec('pragma wal_checkpoint(passive)');
      } catch {
        // Nothing is lost: what is in the log is read from there.
      }
      file.close();
    },
  };
}

function placeOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

/** Takes the write lock first: between a sum and the purchase it allows, no other process writes. */
function inTransaction<T>(file: SqliteFile, work: () => T): T {
  file.exec('begin immediate');
  try {
    const result = work();
    file.exec('commit');
    return result;
  } catch (fault) {
    try {
      file.exec('rollback');
    } catch {
      // Where SQLite has undone it by itself, there is no transaction any more.
    }
    throw fault;
  }
}

function createTables(file: SqliteFile): void {
  if (formatOf(file) === FORMAT) return;
  inTransaction(file, () => {
    // Another process may have been first.
    if (requireKnownFormat(file) === FORMAT) return;
    file.exec(createTable(TABLE, 'integer'));
    for (const index of createIndexes(TABLE)) file.exec(index);
    file.exec(`pragma user_version = ${FORMAT}`);
  });
}

/** In one transaction: between two reads, another process may create the tables. */
function requireKnownFormatAlone(file: SqliteFile): void {
  file.exec('begin');
  try {
    requireKnownFormat(file);
  } finally {
    file.exec('rollback');
  }
}

function requireKnownFormat(file: SqliteFile): number {
  // In this order: another process may create tables and format, in one commit, between the two.
  const isUsed = hasTables(file);
  const format = formatOf(file);
  if (format > FORMAT) throw new LedgerFault(`a newer release wrote it (format ${format})`);
  if (format === 0 && isUsed) throw new LedgerFault('the file is a database of another program');
  return format;
}

function formatOf(file: SqliteFile): number {
  return versionRow.parse(file.prepare('pragma user_version').all()[0]).user_version;
}

function hasTables(file: SqliteFile): boolean {
  return file.prepare('select 1 from sqlite_schema limit 1').all().length > 0;
}

/** Processes that create the same file together get SQLITE_BUSY here, sometimes without the busy timeout. */
async function switchToWal(file: SqliteFile, busyMs: number): Promise<void> {
  const giveUpAt = Date.now() + busyMs;
  for (;;) {
    try {
      file.exec('pragma journal_mode = wal');
      break;
    } catch (fault) {
      if (!isLocked(fault) || Date.now() >= giveUpAt) throw fault;
      await wait(RETRY_MS);
    }
  }
  const { journal_mode: mode } = journalRow.parse(file.prepare('pragma journal_mode').all()[0]);
  if (mode !== 'wal') throw new LedgerFault('its file system has no shared memory for the log');
}

function isLocked(fault: unknown): boolean {
  return fault instanceof Error && fault.message.includes('database is locked');
}

const RETRY_MS = 20;
const versionRow = z.object({ user_version: z.int() });
const journalRow = z.object({ journal_mode: z.string() });
