import { mkdir, open, readFile, rename } from 'node:fs/promises';
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
      // Named after this process: several may share the folder.
      const draft = `${file}.${process.pid}`;
      const handle = await open(draft, 'w', 0o600);
      try {
        await handle.writeFile(checkpoint);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
      await syncFolder(dirname(file));
    },
  };
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
