import { type GrownTree, growTree, type TreeEdge, type WrittenTile } from './grow-tree.ts';
import { edgeTiles, TILE_WIDTH } from './tile.ts';
import type { Hash } from './tree-hash.ts';

export interface TreeWriter {
  /** The full tiles that this leaf completes, most often none. Each tile is handed out once. */
  append(leaf: Hash): readonly WrittenTile[];
  /** The whole tree's size and root, and the partial tiles at its end. */
  finish(): Pick<GrownTree, 'size' | 'root' | 'tiles'>;
}

/** Builds a tree from its first leaf to its last in flat memory: one partial tile a level and one batch of leaves. */
export function createTreeWriter(): TreeWriter {
  let size = 0;
  let edge: TreeEdge = new Map();
  let waiting: Hash[] = [];
  const grow = (): GrownTree => {
    const grown = growTree(size, edge, waiting);
    ({ size, edge } = grown);
    waiting = [];
    return grown;
  };
  return {
    append(leaf) {
      waiting.push(leaf);
      if (waiting.length < TILE_WIDTH) return [];
      return grow().tiles.filter(({ tile }) => tile.width === TILE_WIDTH);
    },
    finish() {
      const { root } = grow();
      const tiles = edgeTiles(size).map((tile) => ({
        tile,
        bytes: edge.get(tile.level) ?? new Uint8Array(),
      }));
      return { size, root, tiles };
    },
  };
}
