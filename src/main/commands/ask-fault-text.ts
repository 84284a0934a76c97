import { plainText } from '../../cli/show/plain-text.ts';
import { faultText } from './output.ts';

/** Commands that ask a service write a key, a proof or their memory; what they read is refused as an argument before. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  ENOTDIR: 'no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
};

/** What a fault of a command that asks a service tells the user. */
export function askFaultText(fault: unknown): string {
  if (!(fault instanceof Error && 'code' in fault && 'path' in fault)) return faultText(fault);
  const why = WHY[String(fault.code)];
  return why === undefined ? fault.message : `cannot write ${plainText(String(fault.path))}: ${why}`;
}
