import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { moveDurably, writeDurably } from '../system/durable-file.ts';
import type { StaticFile } from './static-folder.ts';

export interface StaticIndex {
  add(file: StaticFile): Promise<void>;
  /** Puts the index in its place; answers how many files it names. */
  finish(about: object): Promise<number>;
  /** Without effect after `finish`. */
  abandon(): Promise<void>;
}

const LINES = 'index.jsonl';
const SUMMARY = 'index.json';
const WAITING_MAX = 500;

/** One line for each file in `index.jsonl`, and `index.json`, which says how many there are. */
export async function openStaticIndex(folder: string): Promise<StaticIndex> {
  const draft = join(folder, `.${LINES}.part`);
  await mkdir(dirname(draft), { recursive: true });
  const handle = await open(draft, 'w');
  const digest = createHash('sha256');
  let waiting: string[] = [];
  let [files, bytes] = [0, 0];
  let isOpen = true;
  // Several files may come at the same time; their lines stay in the order of the digest.
  let appended = Promise.resolve();
  const flush = (): Promise<void> => {
    const text = waiting.join('');
    waiting = [];
    digest.update(text);
    appended = appended.then(() => handle.appendFile(text));
    return appended;
  };
  const close = async () => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  return {
    async add(file) {
      files += 1;
      bytes += file.bytes;
      waiting.push(`${JSON.stringify(file)}\n`);
      if (waiting.length >= WAITING_MAX) await flush();
    },
    async finish(about) {
      await flush();
      await syncAndClose(handle);
      isOpen = false;
      const sha256 = digest.digest('hex');
      const lines = join(folder, LINES);
      if ((await sha256Of(lines)) === sha256) await rm(draft);
      else await moveDurably(draft, lines);
      const summary = { assay_export: 1, ...about, files, bytes, index: { path: LINES, sha256 } };
      await writeDurably(join(folder, SUMMARY), `${JSON.stringify(summary, null, 2)}\n`);
      return files;
    },
    async abandon() {
      await close();
      await rm(draft, { force: true });
    },
  };
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Null where there is no such file. */
async function sha256Of(file: string): Promise<string | null> {
  const digest = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) digest.update(chunk);
  } catch {
    return null;
  }
  return digest.digest('hex');
}
