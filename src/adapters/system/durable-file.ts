import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Draft {
  readonly draft?: string;
  readonly mode?: number;
}

/** Only for its owner. */
export const PRIVATE = 0o600;

/** Writes a file under another name, syncs it and its folder, and renames it: a crash never leaves half of it. */
export async function writeDurably(
  file: string,
  bytes: string | Uint8Array,
  { draft = draftOf(file), mode = 0o666 }: Draft = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeDraft(draft, bytes, mode);
    await moveDurably(draft, file);
  } catch (fault) {
    // Another name every time: on a full disk drafts would pile up.
    await rm(draft, { force: true }).catch(() => {});
    throw fault;
  }
}

/** By chance: several processes may share the folder, and in containers each of them is process 1. */
export function draftOf(file: string): string {
  return `${file}.${randomUUID()}.part`;
}

/** The draft has to be synced. */
export async function moveDurably(draft: string, file: string): Promise<void> {
  await rename(draft, file);
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function writeDraft(draft: string, bytes: string | Uint8Array, mode: number): Promise<void> {
  const handle = await open(draft, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** For what a start needs before anything else. Its name survives a power cut once the folder is synced. */
export function writeSynced(file: string, text: string, flag: 'w' | 'wx'): void {
  const handle = openSync(file, flag, PRIVATE);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
