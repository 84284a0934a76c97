import { tilePath } from '../../core/log/tile.ts';
import type { LogHead, LogStore, StoredTile } from '../../ports/transparency-log.ts';
import { isSameHash, rebuildTree } from './rebuild-tree.ts';

export interface Scrubbed {
  readonly origin: string;
  readonly size: number;
  /** Tiles that were not what the entries give; they have been written again. */
  readonly mended: readonly string[];
  /** The entries do not give the signed root: one of them has changed or is missing. */
  readonly isDamaged: boolean;
}

/** A flipped bit on a disk is found here before somebody else finds it. */
export async function scrubLog(log: LogStore): Promise<readonly Scrubbed[]> {
  const results: Scrubbed[] = [];
  for (const head of await log.epochs()) results.push(await scrubEpoch(head, log));
  return results;
}

async function scrubEpoch(head: LogHead, log: LogStore): Promise<Scrubbed> {
  const { tree, origin, size, root } = head;
  const wrong: StoredTile[] = [];
  const compare = async (tiles: readonly StoredTile[]) => {
    for (const one of tiles) {
      const stored = await log.tile(tree, one.tile);
      if (stored === null || Buffer.compare(stored, one.bytes) !== 0) wrong.push(one);
    }
  };
  const found = await rebuildTree(head, log, compare);
  if (!isSameHash(found, root)) return { origin, size, mended: [], isDamaged: true };
  // Nobody appends to a tile at the edge while it is wrong, because its root is computed before.
  await log.keepTiles(tree, wrong);
  return { origin, size, mended: wrong.map(({ tile }) => tilePath(tile)), isDamaged: false };
}
