import { faultLine } from '../../adapters/store/engine/fault-line.ts';
import { LedgerFault } from './ledger-fault.ts';

/** A fault of a database in our own words. */
export function databaseFault(ledger: string, cause: unknown): LedgerFault {
  if (cause instanceof LedgerFault) return new LedgerFault(`${ledger}: ${cause.message}`, { cause });
  const said = faultLine(cause);
  const words = WORDS.find(([pattern]) => pattern.test(said))?.[1] ?? 'it cannot be read or written';
  return new LedgerFault(`${ledger}: ${words}`, { cause });
}

const WORDS: readonly (readonly [said: RegExp, words: string])[] = [
  [/disk is full|ENOSPC|No space left/, 'the disk is full'],
  [/not a database/, 'it is no SQLite file'],
  [/malformed/, 'it is damaged'],
  [/is locked|lock timeout|statement timeout/, 'another process has kept it locked for too long'],
  [/readonly|read-only|EACCES|EPERM|EROFS|permission denied/, 'it may not be written'],
  [/unable to open|ENOENT|ENOTDIR|EEXIST|EISDIR/, 'the file cannot be opened'],
  [/has no built-in SQLite/, 'this Node has no SQLite, and @photostructure/sqlite is not installed'],
  [/UNIQUE|duplicate key/, 'it has a purchase with this id, or an open one with this key'],
  [/ECONN|ENOTFOUND|EAI_AGAIN|UNREACH|timeout|[Tt]erminat|not queryable/, 'the server does not answer'],
  [/authentication|does not exist/, 'the server does not let us in'],
];
