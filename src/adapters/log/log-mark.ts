import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogMark } from '../../ports/log/log-mark.ts';
import { PRIVATE, writeDurably } from '../system/durable-file.ts';

/** A file beside the store. Replaced as a whole: a power cut leaves the old mark or the new one. */
export function fileLogMark(folder: string): LogMark {
  const file = join(folder, 'log-mark');
  return {
    async read() {
      return readFile(file, 'utf8').catch((fault: unknown) => {
        if (isMissing(fault)) return null;
        throw fault;
      });
    },
    async keep(checkpoint) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeDurably(file, checkpoint, { mode: PRIVATE });
    },
  };
}

function isMissing(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'ENOENT';
}
