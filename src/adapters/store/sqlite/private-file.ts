import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
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
  closeSync(openSync(path, 'a', FILE_MODE));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) takeFromOthers(file);
}

/** One that is missing, or not ours to change, stays as it is. */
function takeFromOthers(file: string): void {
  try {
    if ((statSync(file).mode & OTHERS) !== 0) chmodSync(file, FILE_MODE);
  } catch {
    // The store itself says whether it can be opened; `isShared` warns about what others may read.
  }
}

/** Whether other users of the machine may read or change what is at this path. */
export function isShared(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS) !== 0;
}
