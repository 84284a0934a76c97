import { open, rm, stat } from 'node:fs/promises';

/**
 * Runs something while no other process does, by a file that only one can create. Nothing tells a killed holder from a slow
 * one, so the work has to be short, and a person decides.
 */
export async function alone<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const handle = await open(lock, 'wx').catch((fault: unknown) => {
    if (!hasCode(fault, 'EEXIST')) throw fault;
    throw new Error(`another run is replacing a file; if there is none, it was killed: delete ${lock}`);
  });
  try {
    return await work();
  } finally {
    await handle.close();
    await rm(lock, { force: true });
  }
}

/** Another text after every replacement of a file; null without one. */
export async function identityOf(file: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    return [ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (fault) {
    if (hasCode(fault, 'ENOENT')) return null;
    throw fault;
  }
}

function hasCode(fault: unknown, code: string): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === code;
}
