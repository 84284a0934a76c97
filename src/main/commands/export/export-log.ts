import type { StaticFolder } from '../../../adapters/archive/static-folder.ts';
import { writeBundle } from '../../../core/log/entry-bundle.ts';
import { runOfTree } from '../../../core/log/run-tree.ts';
import { entriesPath, TILE_WIDTH, tileAt, tilePath, tilesOf } from '../../../core/log/tile.ts';
import { type StatementPorts, statementsInBundle } from '../../../flows/log/statements-in-bundle.ts';
import type { LogHead, LogReader } from '../../../ports/log/transparency-log.ts';
import { loadRules } from '../../build/load-rules.ts';

export interface LogExportPorts extends StatementPorts {
  readonly transparencyLog: LogReader;
}

const EPOCH = /^[1-9][0-9]{0,5}$/;
const RUN = /^[A-Za-z0-9-]{1,64}$/;

/** Whatever a checkpoint covers is there before the checkpoint is. `prefix` is empty or ends with a slash. */
export async function exportLog(ports: LogExportPorts, files: StaticFolder, prefix: string): Promise<void> {
  const { transparencyLog: log } = ports;
  for (const [version, text] of loadRules()) {
    await files.keep(`${prefix}rules/${version}.mjs`, async () => Buffer.from(text));
  }
  // Before the runs: those that are published meanwhile are in no checkpoint that is written here.
  const epochs = await log.epochs();
  for (const head of await log.runHeads()) {
    const run = runOfTree(head.tree);
    if (run === null || !RUN.test(run)) throw new Error('the log has a run whose id is not one');
    const statement = await log.runStatement(run);
    if (statement !== null) await files.put(`${prefix}run/${run}/statement`, statement);
    await exportTree(head, ports, files, `${prefix}run/${run}/`);
  }
  for (const head of epochs) {
    if (!EPOCH.test(head.tree)) throw new Error('the log has an epoch whose number is not one');
    await exportTree(head, ports, files, head.tree === '1' ? prefix : `${prefix}${head.tree}/`);
  }
}

async function exportTree(
  { tree, published }: LogHead,
  ports: LogExportPorts,
  files: StaticFolder,
  prefix: string,
): Promise<void> {
  if (published === null) return;
  const { transparencyLog: log } = ports;
  const { size, note } = published;
  // The width is part of the name, so what is there never changes.
  for (const tile of tilesOf(size)) {
    await files.keep(`${prefix}${tilePath(tile)}`, () => log.tile(tree, tile));
  }
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const { width } = tileAt(0, index, size);
    await files.keep(`${prefix}${entriesPath(index, width)}`, async () => {
      const entries = await log.entries(tree, index * TILE_WIDTH, width);
      return entries.length < width ? null : writeBundle(entries.map(({ entry }) => Buffer.from(entry)));
    });
    // Not so these: a stub replaces what was withdrawn or retired.
    const lines = await statementsInBundle(tree, index, ports);
    await files.put(`${prefix}statements/${index}`, lines.map((line) => `${line}\n`).join(''));
  }
  await files.put(`${prefix}checkpoint`, note);
}
