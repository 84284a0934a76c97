import { plainText } from '../../cli/show/plain-text.ts';
import { faultText } from './output.ts';

const NO_PERMISSION = 'no permission';
/**
 * Commands that ask a service write a key, a proof or their memory. What they read and is not there counts as missing, or is refused
 * as an argument before.
 */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  ENOTDIR: 'no such folder',
  EISDIR: 'it is a folder',
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
};

/** What a fault of a command that asks a service tells the user. */
export function askFaultText(fault: unknown): string {
  if (!(fault instanceof Error && 'code' in fault && 'path' in fault)) return faultText(fault);
  const why = WHY[String(fault.code)];
  if (why === undefined) return fault.message;
  // A file is opened in the same way to be read and to be written.
  const isOpened = why === NO_PERMISSION && 'syscall' in fault && fault.syscall === 'open';
  return `cannot ${isOpened ? 'open' : 'write'} ${plainText(String(fault.path))}: ${why}`;
}
