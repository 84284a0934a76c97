import { edgeTiles, TILE_WIDTH, type Tile } from './tile.ts';
import { EMPTY_ROOT, HASH_BYTES, type Hash, hashNode, hashPerfect } from './tree-hash.ts';

const TILE_BYTES = TILE_WIDTH * HASH_BYTES;

/** By level the bytes of the partial right-most tile; a level without one is absent. */
export type TreeEdge = ReadonlyMap<number, Uint8Array>;

export interface WrittenTile {
  readonly tile: Tile;
  readonly bytes: Uint8Array;
}

export interface GrownTree {
  readonly size: number;
  readonly root: Hash;
  /** Every tile that is new or wider than before, in its widest form. */
  readonly tiles: readonly WrittenTile[];
  readonly edge: TreeEdge;
}

/** Appends leaf hashes to a tree of which only the partial tiles are at hand. */
export function growTree(size: number, edge: TreeEdge, leaves: readonly Hash[]): GrownTree {
  checkEdge(size, edge);
  const grownEdge = new Map(edge);
  const tiles: WrittenTile[] = [];
  let added = Buffer.concat(leaves);
  if (added.length !== leaves.length * HASH_BYTES) throw new Error('A leaf hash has 32 bytes.');
  for (let level = 0, hashes = size; added.length > 0; level += 1) {
    const bytes = Buffer.concat([edge.get(level) ?? new Uint8Array(), added]);
    const first = Math.floor(hashes / TILE_WIDTH);
    const roots: Hash[] = [];
    grownEdge.delete(level);
    for (let at = 0; at < bytes.length; at += TILE_BYTES) {
      const part = bytes.subarray(at, at + TILE_BYTES);
      tiles.push({
        tile: { level, index: first + at / TILE_BYTES, width: part.length / HASH_BYTES },
        bytes: part,
      });
      if (part.length === TILE_BYTES) roots.push(hashPerfect(part));
      // A copy: a view would keep the whole batch in memory.
      else grownEdge.set(level, Buffer.from(part));
    }
    added = Buffer.concat(roots);
    hashes = first;
  }
  return { size: size + leaves.length, root: rootOfEdge(grownEdge), tiles, edge: grownEdge };
}

/** The root follows from the partial tiles alone: all that is left of them is hashed into the level above. */
function rootOfEdge(edge: TreeEdge): Hash {
  let root: Hash | null = null;
  for (const level of [...edge.keys()].sort((left, right) => left - right)) {
    const bytes = edge.get(level) ?? new Uint8Array();
    // From right to left, because RFC 6962 splits off the largest power of two on the left.
    for (let end = bytes.length / HASH_BYTES; end > 0; ) {
      const width = end & -end;
      const perfect = hashPerfect(bytes.subarray((end - width) * HASH_BYTES, end * HASH_BYTES));
      root = root === null ? perfect : hashNode(perfect, root);
      end -= width;
    }
  }
  return root ?? EMPTY_ROOT;
}

function checkEdge(size: number, edge: TreeEdge): void {
  const wanted = edgeTiles(size);
  const fits = wanted.every(({ level, width }) => edge.get(level)?.length === width * HASH_BYTES);
  if (!fits || wanted.length !== edge.size)
    throw new Error(`These are not the partial tiles of size ${size}.`);
}
