import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file under another name, syncs it and its folder, and renames it: a crash never leaves half of it. */
export async function writeDurably(
  file: string,
  bytes: string | Uint8Array,
  draft = draftOf(file),
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeDraft(draft, bytes);
    await moveDurably(draft, file);
  } catch (fault) {
    await rm(draft, { force: true });
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

async function writeDraft(draft: string, bytes: string | Uint8Array): Promise<void> {
  const handle = await open(draft, 'wx');
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
