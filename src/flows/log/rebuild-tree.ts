import { TILE_WIDTH } from '../../core/log/tile.ts';
import { type Hash, hashLeaf } from '../../core/log/tree-hash.ts';
import { createTreeWriter } from '../../core/log/tree-writer.ts';
import type { LogHead, LogReader, StoredTile } from '../../ports/log/transparency-log.ts';

const STEP = 4 * TILE_WIDTH;

/** Computes a tree again from its entries, in flat memory, and hands out every tile once. Null when entries are missing. */
export async function rebuildTree(
  { tree, size }: Pick<LogHead, 'tree' | 'size'>,
  log: Pick<LogReader, 'entries'>,
  onTiles: (tiles: readonly StoredTile[]) => Promise<void>,
): Promise<Hash | null> {
  const writer = createTreeWriter();
  for (let from = 0; from < size; from += STEP) {
    const count = Math.min(STEP, size - from);
    const entries = await log.entries(tree, from, count);
    if (entries.length !== count) return null;
    await onTiles(entries.flatMap(({ entry }) => writer.append(hashLeaf(Buffer.from(entry)))));
  }
  const { root, tiles } = writer.finish();
  await onTiles(tiles);
  return root;
}
