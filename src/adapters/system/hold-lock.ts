import { loadSqlite, type SqliteFile, type SqliteModule } from '../store/sqlite/module.ts';

export interface Hold {
  /** False without SQLite, or on a file system without locks: nothing is known about other processes. */
  readonly isLocked: boolean;
  release(): void;
}

const UNLOCKED: Hold = { isLocked: false, release: () => {} };

/**
 * Takes a file for this process; null while another one has it. The system takes the lock back when the process ends, however it
 * ends: a file with a process id would have to be deleted by hand after a crash, and in containers every process is number 1. The
 * file stays, since deleting it would let two processes lock two files of one name.
 */
export async function holdLock(
  file: string,
  load: () => Promise<SqliteModule> = loadSqlite,
): Promise<Hold | null> {
  const sqlite = await load().catch(() => null);
  if (sqlite === null) return UNLOCKED;
  let opened: SqliteFile | null = null;
  try {
    opened = new sqlite.DatabaseSync(file);
    opened.exec('begin exclusive');
  } catch (fault) {
    opened?.close();
    return isBusy(fault) ? null : UNLOCKED;
  }
  const held = opened;
  return { isLocked: true, release: () => held.close() };
}

/** The code of SQLITE_BUSY. */
const BUSY = 5;

function isBusy(fault: unknown): boolean {
  return fault instanceof Error && 'errcode' in fault && fault.errcode === BUSY;
}
