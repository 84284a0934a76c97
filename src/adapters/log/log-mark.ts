import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LogMark } from '../../ports/log/log-mark.ts';

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
      // By chance: several processes may share the folder, and in containers each of them is process 1.
      const draft = `${file}.${randomUUID()}`;
      try {
        await write(draft, checkpoint);
        await rename(draft, file);
      } catch (fault) {
        // Another name every time: on a full disk they would pile up.
        await rm(draft, { force: true }).catch(() => {});
        throw fault;
      }
      await syncFolder(dirname(file));
    },
  };
}

async function write(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'ENOENT';
}
