import { growTree, type TreeEdge } from '../../../src/core/log/grow-tree.ts';
import type { ReadTile } from '../../../src/core/log/prove.ts';
import { TILE_WIDTH, tilePath } from '../../../src/core/log/tile.ts';
import { EMPTY_ROOT, HASH_BYTES, type Hash, hashLeaf } from '../../../src/core/log/tree-hash.ts';

/** A tree that keeps its tiles in memory, in their widest form only. */
export function memoryTree() {
  const tiles = new Map<string, Uint8Array>();
  let size = 0;
  let root = EMPTY_ROOT;
  let edge: TreeEdge = new Map();
  const read: ReadTile = (tile) => {
    const bytes = tiles.get(tilePath({ ...tile, width: TILE_WIDTH }));
    if (bytes === undefined) return Promise.reject(new Error(`no tile ${tilePath(tile)}`));
    return Promise.resolve(bytes.subarray(0, tile.width * HASH_BYTES));
  };
  return {
    read,
    tiles,
    head: () => ({ size, root }),
    append(leaves: readonly Hash[]) {
      const grown = growTree(size, edge, leaves);
      ({ size, root, edge } = grown);
      for (const { tile, bytes } of grown.tiles) tiles.set(tilePath({ ...tile, width: TILE_WIDTH }), bytes);
      return grown;
    },
  };
}

export const entryOf = (index: number): Uint8Array => Buffer.from(`entry ${index}\n`);

export const leavesOf = (count: number): Hash[] =>
  Array.from({ length: count }, (_, index) => hashLeaf(entryOf(index)));

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
