import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What the group and all others may do. */
const OTHERS = 0o077;

/**
 * Creates the folder and the file for their owner only, and takes the file from others where an earlier release or a umask left
 * it to them. SQLite gives its log and its index the mode of the file.
 */
export function makePrivate(path: string): void {
  if (path === ':memory:') return;
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  // A file that is there is not opened: closing it would drop the locks that SQLite holds on it in this process.
  if (!existsSync(path)) create(path);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) takeFromOthers(file);
}

/** Of several processes that start together, one creates it. */
function create(path: string): void {
  try {
    closeSync(openSync(path, 'wx', FILE_MODE));
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault;
  }
}

/** One that is missing, or not ours to change, stays as it is. */
function takeFromOthers(file: string): void {
  try {
    const stat = statSync(file);
    if (stat.isFile() && (stat.mode & OTHERS) !== 0) chmodSync(file, FILE_MODE);
  } catch {
    // The store itself says whether it can be opened; `isShared` warns about what others may read.
  }
}

/** Whether other users of the machine may read or change what is at this path. */
export function isShared(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS) !== 0;
}
