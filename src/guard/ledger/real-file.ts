import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { LedgerFault } from './ledger-fault.ts';

/**
 * The file that a path leads to through symbolic links, so that what lies beside it has one name for everybody. A link to a file
 * that is not there yet is followed as well: SQLite would create that one.
 */
export function realFile(path: string): string {
  let file = path;
  for (let followed = 0; followed <= LINKS_MAX; followed += 1) {
    const real = realPath(file);
    if (real !== null) return real;
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file;
    const target = readlinkSync(file);
    // Not joined: what `..` means depends on links before it, which only the system resolves.
    file = isAbsolute(target) ? target : `${dirname(file)}/${target}`;
  }
  throw new LedgerFault('its path has too many symbolic links');
}

/** As many as Linux follows. */
const LINKS_MAX = 40;

/** Null where nothing is there. */
function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR'))
      return null;
    throw fault;
  }
}
