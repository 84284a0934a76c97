import { loadSqlite, type SqliteFile, type SqliteModule } from '../store/sqlite/module.ts';

/** `unguarded`: without SQLite, or on a file system without locks, nothing is known about other processes. */
export type Hold = { readonly release: () => void } | 'held_elsewhere' | 'unguarded';

/**
 * Takes a file for this process, by a lock that the system takes back when the process ends, however it ends: a file with a
 * process id would have to be deleted by hand after a crash, and in containers every process is number 1. The file stays, since
 * deleting it would let two processes lock two files of one name.
 */
export async function holdLock(file: string, load: () => Promise<SqliteModule> = loadSqlite): Promise<Hold> {
  const sqlite = await load().catch(() => null);
  if (sqlite === null) return 'unguarded';
  const opened = new sqlite.DatabaseSync(file);
  try {
    opened.exec('begin exclusive');
  } catch (fault) {
    opened.close();
    return isBusy(fault) ? 'held_elsewhere' : 'unguarded';
  }
  return { release: () => letGo(opened) };
}

function letGo(file: SqliteFile): void {
  file.exec('rollback');
  file.close();
}

/** The code of SQLITE_BUSY. */
const BUSY = 5;

function isBusy(fault: unknown): boolean {
  return fault instanceof Error && 'errcode' in fault && fault.errcode === BUSY;
}
