import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { localPath } from '../local-path.ts';

/** The last checkpoint that a buyer has seen of a log, as a signed note that was verified. */
export interface LogMemory {
  /** Null before the first. */
  read(): Promise<string | null>;
  keep(note: string): Promise<void>;
  /** Two notes of one log that exclude each other. From then on nothing of that log counts. */
  keepFork(notes: readonly [string, string]): Promise<void>;
  hasFork(): Promise<boolean>;
}

/** Forgets with the process. */
export function processMemory(): LogMemory {
  const kept: { note: string | null; isForked: boolean } = { note: null, isForked: false };
  return {
    read: async () => kept.note,
    async keep(note) {
      kept.note = note;
    },
    async keepFork() {
      kept.isForked = true;
    },
    hasFork: async () => kept.isForked,
  };
}

/** A file for all processes of a machine, with `.fork` added to its name for the evidence; a person may remove that one. */
export function fileMemory(path: string): LogMemory {
  const file = localPath(path);
  const fork = `${file}.fork`;
  const folder = () => mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return {
    read: () => readIfThere(file),
    async keep(note) {
      folder();
      // By chance: a process may have several, and in containers each process is the first.
      const draft = `${file}.${randomUUID()}`;
      try {
        await writeFile(draft, note, { mode: 0o600, flag: 'wx', flush: true });
        await rename(draft, file);
      } catch (fault) {
        await rm(draft, { force: true }).catch(() => {});
        throw fault;
      }
    },
    async keepFork(notes) {
      folder();
      await writeFile(fork, notes.join('\n'), { mode: 0o600, flag: 'wx', flush: true }).catch(ignoreExisting);
    },
    hasFork: async () => (await readIfThere(fork)) !== null,
  };
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (fault) {
    if (isFault(fault, 'ENOENT')) return null;
    throw fault;
  }
}

/** The first evidence stays. */
function ignoreExisting(fault: unknown): void {
  if (!isFault(fault, 'EEXIST')) throw fault;
}

function isFault(fault: unknown, code: string): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === code;
}
