import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite, type SqliteFile, type SqliteModule } from '../store/sqlite/module.ts';

/** `unguarded`: this Node has no SQLite, so nothing is known about other processes. */
export type Hold = { readonly release: () => void } | 'held_elsewhere' | 'unguarded';

/**
 * Takes a folder for this process, by a lock that the system takes back when the process ends, however it ends: a file with a
 * process id would have to be deleted by hand after a crash, and in containers every process is number 1.
 */
export async function holdFolder(
  folder: string,
  load: () => Promise<SqliteModule> = loadSqlite,
): Promise<Hold> {
  const sqlite = await load().catch(() => null);
  if (sqlite === null) return 'unguarded';
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = new sqlite.DatabaseSync(join(folder, 'lock'));
  try {
    file.exec('begin exclusive');
  } catch (fault) {
    file.close();
    if (isBusy(fault)) return 'held_elsewhere';
    throw fault;
  }
  return { release: () => letGo(file) };
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
