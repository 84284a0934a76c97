import { hash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { parseCheckpoint } from '../../core/log/checkpoint.ts';
import { noteText } from '../../core/log/note.ts';
import { parseJson } from '../../core/x402/read-json.ts';

const remembered = z.object({
  assay: z.literal('log-memory/1'),
  /** The first one seen: later answers cannot change whom we trust. */
  policy: z.string().max(262_144),
  /** Keys that the log itself has announced since. */
  learned: z.array(z.string().max(1_024)).max(64),
  /** The newest checkpoint of each epoch. */
  checkpoints: z.array(z.object({ note: z.string().max(262_144), seen_at: z.iso.datetime() })).max(64),
});

export type Remembered = z.infer<typeof remembered>;

/** What this machine remembers about logs: files of its user alone. Several processes may use it at once. */
export interface LogMemory {
  /** Null when this log was never seen. Rejects when the file is damaged. */
  read(name: string): Promise<Remembered | null>;
  /** A checkpoint never replaces a larger one that another process has kept meanwhile. */
  keep(name: string, next: Remembered): Promise<void>;
  /** The name of the log that a service had before. */
  nameAt(server: string): Promise<string | null>;
  keepNameAt(server: string, name: string): Promise<void>;
  /** Answers the path. The same evidence is kept once. */
  keepEvidence(kind: string, content: string | Uint8Array): Promise<string>;
}

const FILE_MAX_BYTES = 20_000_000;
const NAME_MAX_CHARS = 4_096;
const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

export function logMemoryIn(folder: string): LogMemory {
  const fileOf = (name: string) => join(folder, hash('sha256', name, 'hex'));
  const serverFile = (server: string) => join(folder, `at-${hash('sha256', server, 'hex')}`);
  const read = async (name: string): Promise<Remembered | null> => {
    const text = await textOf(fileOf(name));
    if (text === null) return null;
    const { data } = remembered.safeParse(parseJson(text));
    if (data !== undefined) return data;
    throw new Error(`the memory of the log in ${fileOf(name)} is damaged; remove it to start again`);
  };
  return {
    read,
    async keep(name, next) {
      const now = await read(name).catch(() => null);
      const checkpoints = newestOf([...(now?.checkpoints ?? []), ...next.checkpoints]);
      // A file that could not be read again would make its user remove it, and with it all that is remembered.
      const { data } = remembered.safeParse({ ...next, checkpoints });
      if (data === undefined) throw new Error('the log has more keys or epochs than can be remembered');
      await replace(folder, fileOf(name), JSON.stringify(data));
    },
    nameAt: (server) => textOf(serverFile(server)),
    keepNameAt: (server, name) => replace(folder, serverFile(server), name.slice(0, NAME_MAX_CHARS)),
    async keepEvidence(kind, content) {
      const place = join(folder, 'evidence');
      const file = join(place, `${kind}-${hash('sha256', content, 'hex').slice(0, 16)}`);
      await replace(place, file, content);
      return file;
    },
  };
}

function newestOf(checkpoints: Remembered['checkpoints']): Remembered['checkpoints'] {
  const newest = new Map<string, Remembered['checkpoints'][number]>();
  for (const one of checkpoints) {
    const head = parseCheckpoint(noteText(one.note) ?? '');
    if (head === null) continue;
    const before = parseCheckpoint(noteText(newest.get(head.origin)?.note ?? '') ?? '');
    if (before === null || head.size >= before.size) newest.set(head.origin, one);
  }
  return [...newest.values()];
}

async function textOf(file: string): Promise<string | null> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > FILE_MAX_BYTES) throw new Error(`${file} is too large`);
    return bytes.toString();
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && MISSING.has(String(fault.code))) return null;
    throw fault;
  }
}

/** Replaced as a whole: a reader or a power cut finds the old content or the new one. */
async function replace(folder: string, file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file).catch(async (fault: unknown) => {
    await rm(draft, { force: true });
    throw fault;
  });
}
