import { hash } from 'node:crypto';
import { mkdir, opendir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../system/durable-file.ts';
import { holdLock } from '../system/hold-lock.ts';

/** Files that a web server without any logic serves. Nobody ever sees half of one. */
export interface StaticFolder {
  has(path: string): Promise<boolean>;
  /** A file whose name says what is in it: what is there stays. */
  keep(path: string, read: () => Promise<Uint8Array | null>): Promise<void>;
  /** A file that may change; written only where it differs. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  /** Files, and folders with all that is in them; they count as one. */
  remove(...paths: readonly string[]): Promise<void>;
  /** The names in a folder; none where there is no such folder. */
  names(path: string): AsyncIterable<string>;
  /** The same folder; `onFile` gets every file that is there after `keep` or `put`, whether it was written or not. */
  noting(onFile: OnFile): StaticFolder;
  counts(): StaticCounts;
  /** Removes what drafts are left, and lets another run begin. */
  close(): Promise<void>;
}

export interface StaticCounts {
  readonly written: number;
  readonly removed: number;
}

export interface StaticFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

type OnFile = (file: StaticFile) => Promise<void>;

/** Drafts have a folder of their own: after a crash the next run finds them all. */
const DRAFTS = '.drafts';
/** Held for a whole run: two of them would delete each other's drafts, and write into one index. */
const LOCK = '.lock';
const PATH = /^[A-Za-z0-9][A-Za-z0-9._-]{0,150}(?:\/[A-Za-z0-9][A-Za-z0-9._-]{0,150}){0,9}$/;

export async function openStaticFolder(folder: string): Promise<StaticFolder> {
  const drafts = join(folder, DRAFTS);
  const forgetDrafts = () => rm(drafts, { recursive: true, force: true });
  let [written, removed, drafted] = [0, 0, 0];
  const write = async (file: string, bytes: Uint8Array) => {
    drafted += 1;
    await writeDurably(file, bytes, { draft: join(drafts, `${process.pid}-${drafted}`) });
    written += 1;
  };
  await mkdir(folder, { recursive: true });
  const hold = await holdLock(join(folder, LOCK));
  if (hold === null) throw new Error(`another export to ${folder} is running`);
  await forgetDrafts();
  await mkdir(drafts, { recursive: true });
  const view = (onFile: OnFile | null): StaticFolder => ({
    has: async (path) => (await sizeOf(placeOf(folder, path))) !== null,
    async keep(path, read) {
      const file = placeOf(folder, path);
      const isThere = (await sizeOf(file)) !== null;
      if (isThere && onFile === null) return;
      const bytes = isThere ? await readFile(file) : await read();
      if (bytes === null) throw new Error(`the store has no ${path}`);
      if (!isThere) await write(file, bytes);
      await onFile?.(describe(path, bytes));
    },
    async put(path, content) {
      const file = placeOf(folder, path);
      const bytes = Buffer.from(content);
      const isSame = (await sizeOf(file)) === bytes.byteLength && bytes.equals(await readFile(file));
      if (!isSame) await write(file, bytes);
      await onFile?.(describe(path, bytes));
    },
    async remove(...paths) {
      for (const path of paths) await rm(placeOf(folder, path), { recursive: true, force: true });
      removed += 1;
    },
    names: (path) => namesIn(placeOf(folder, path)),
    noting: view,
    counts: () => ({ written, removed }),
    async close() {
      await forgetDrafts();
      hold.release();
    },
  });
  return view(null);
}

function describe(path: string, bytes: Uint8Array): StaticFile {
  return { path, sha256: hash('sha256', bytes, 'hex'), bytes: bytes.byteLength };
}

/** Every path passes here before the disk is touched: whatever a path was made of, it stays in the folder. */
function placeOf(folder: string, path: string): string {
  if (!PATH.test(path))
    throw new Error(`not a path for a static file: ${JSON.stringify(path.slice(0, 200))}`);
  return join(folder, path);
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.size : null;
  } catch (fault) {
    if (isAbsent(fault)) return null;
    throw fault;
  }
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name;
  } catch (fault) {
    if (!isAbsent(fault)) throw fault;
  }
}

function isAbsent(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR');
}
