import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { parseEntry } from '../../../core/log/entry.ts';
import { writeBundle } from '../../../core/log/entry-bundle.ts';
import { entriesPath, TILE_WIDTH, tileAt, tilePath, tilesOf } from '../../../core/log/tile.ts';
import type { LogHead, LogReader } from '../../../ports/log/transparency-log.ts';
import { loadRules } from '../../build/load-rules.ts';
import { openStore } from '../../build/open-store.ts';
import { readConfig } from '../../config/config.ts';
import { faultText, type Output } from '../output.ts';

/** assay log export: the files below /log, for a web server or a CDN. */
export async function runLogExport(
  { words: [folder = ''] }: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  try {
    const store = await openStore(reading.config);
    try {
      const written = await exportLog(store.transparencyLog, folder);
      output.note(`${written} files written to ${folder}`);
      return 0;
    } finally {
      await store.close();
    }
  } catch (fault) {
    return output.fail(faultText(fault));
  }
}

async function exportLog(log: LogReader, folder: string): Promise<number> {
  let written = 0;
  for (const [version, text] of loadRules()) {
    written += await writeOnce(join(folder, 'rules', `${version}.mjs`), () =>
      Promise.resolve(Buffer.from(text)),
    );
  }
  for (const head of await log.epochs()) {
    const place = head.tree === '1' ? folder : join(folder, head.tree);
    written += await exportTree(log, head, place, async (run) => {
      const tree = await log.head(`run:${run}`);
      return tree === null ? 0 : exportTree(log, tree, join(folder, 'run', run), async () => 0);
    });
  }
  return written;
}

/** Whatever a checkpoint covers is there before the checkpoint is. */
async function exportTree(
  log: LogReader,
  { tree, published }: LogHead,
  folder: string,
  exportRun: (run: string) => Promise<number>,
): Promise<number> {
  if (published === null) return 0;
  const { size, note } = published;
  let written = 0;
  for (const tile of tilesOf(size)) {
    written += await writeOnce(join(folder, tilePath(tile)), () => log.tile(tree, tile));
  }
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const { width } = tileAt(0, index, size);
    written += await writeOnce(join(folder, entriesPath(index, width)), async () => {
      const entries = await log.entries(tree, index * TILE_WIDTH, width);
      for (const { entry } of entries) {
        const parsed = parseEntry(entry);
        if (parsed?.kind === 'run') written += await exportRun(parsed.run);
      }
      return entries.length < width ? null : writeBundle(entries.map(({ entry }) => Buffer.from(entry)));
    });
  }
  await replaceFile(join(folder, 'checkpoint'), Buffer.from(note));
  return written + 1;
}

/** The width is part of the name, so what is there never changes. */
async function writeOnce(file: string, read: () => Promise<Uint8Array | null>): Promise<0 | 1> {
  const isThere = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isThere) return 0;
  const bytes = await read();
  if (bytes === null) throw new Error(`the store has no ${file}`);
  await replaceFile(file, bytes);
  return 1;
}

async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.part`;
  await writeFile(draft, bytes);
  await rename(draft, file);
}
