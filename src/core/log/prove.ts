import { TILE_WIDTH, type Tile, tileAt } from './tile.ts';
import { EMPTY_ROOT, HASH_BYTES, type Hash, hashNode, hashPerfect } from './tree-hash.ts';

/** Resolves to exactly `tile.width` hashes of 32 bytes; rejects when it cannot. */
export type ReadTile = (tile: Tile) => Promise<Uint8Array>;

/** Leaves `from` to before `to`. */
type Range = readonly [from: number, to: number];

const TILE_LEVELS = 8;

/** From the sibling of the leaf up to the child of the root (RFC 6962, section 2.1.1). */
export async function inclusionProof(index: number, size: number, read: ReadTile): Promise<readonly Hash[]> {
  if (!isSize(size) || !isSize(index) || index >= size)
    throw new Error(`No leaf ${index} in a tree of ${size}.`);
  const path: Range[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      path.unshift([middle, to]);
      to = middle;
    } else {
      path.unshift([from, middle]);
      from = middle;
    }
  }
  return hashRanges(path, size, read);
}

/** Proves that the tree of `oldSize` is a prefix of this one (RFC 6962, section 2.1.2). */
export async function consistencyProof(
  oldSize: number,
  size: number,
  read: ReadTile,
): Promise<readonly Hash[]> {
  if (!isSize(size) || !isSize(oldSize) || oldSize > size) {
    throw new Error(`A tree of ${oldSize} is no prefix of one of ${size}.`);
  }
  if (oldSize === 0) return [];
  const path: Range[] = [];
  let [from, to] = [0, size];
  while (oldSize !== to) {
    const middle = from + splitOf(to - from);
    if (oldSize <= middle) {
      path.unshift([middle, to]);
      to = middle;
    } else {
      path.unshift([from, middle]);
      from = middle;
    }
  }
  // The verifier knows the old root; any other subtree that ends where the old tree ends must be in the proof.
  if (from > 0) path.unshift([from, to]);
  return hashRanges(path, size, read);
}

export async function rootOf(size: number, read: ReadTile): Promise<Hash> {
  if (!isSize(size)) throw new Error(`A tree cannot have ${size} leaves.`);
  const [root] = size === 0 ? [] : await hashRanges([[0, size]], size, read);
  return root ?? EMPTY_ROOT;
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The largest power of two below the width, which is at least 2. */
function splitOf(width: number): number {
  let split = 1;
  while (split * 2 < width) split *= 2;
  return split;
}

/** Each tile is read once, all of them at the same time; there are at most two a level. */
function hashRanges(ranges: readonly Range[], size: number, read: ReadTile): Promise<Hash[]> {
  const tiles = new Map<string, Promise<Uint8Array>>();
  const readOnce = (level: number, index: number): Promise<Uint8Array> => {
    const key = `${level}/${index}`;
    const reading = tiles.get(key) ?? readWhole(tileAt(level, index, size), read);
    tiles.set(key, reading);
    return reading;
  };
  return Promise.all(ranges.map((range) => hashRange(range, readOnce)));
}

async function readWhole(tile: Tile, read: ReadTile): Promise<Uint8Array> {
  const bytes = await read(tile);
  if (bytes.length !== tile.width * HASH_BYTES) throw new Error('A tile has another width than asked for.');
  return bytes;
}

type ReadOnce = (level: number, index: number) => Promise<Uint8Array>;

/** A range of a proof starts at a multiple of its size rounded up, so it falls apart into perfect subtrees. */
async function hashRange([from, to]: Range, readOnce: ReadOnce): Promise<Hash> {
  const subtrees: Promise<Hash>[] = [];
  for (let start = from; start < to; ) {
    let width = 1;
    let height = 0;
    for (; width * 2 <= to - start; width *= 2) height += 1;
    subtrees.push(hashSubtree(height, start / width, readOnce));
    start += width;
  }
  return (await Promise.all(subtrees)).reduceRight((right, left) => hashNode(left, right));
}

/** The root of 2^height leaves; a tile has every eighth level, those between are hashed again. */
async function hashSubtree(height: number, index: number, readOnce: ReadOnce): Promise<Hash> {
  const level = Math.floor(height / TILE_LEVELS);
  const width = 2 ** (height % TILE_LEVELS);
  const first = index * width;
  const bytes = await readOnce(level, Math.floor(first / TILE_WIDTH));
  const at = (first % TILE_WIDTH) * HASH_BYTES;
  return hashPerfect(bytes.subarray(at, at + width * HASH_BYTES));
}
