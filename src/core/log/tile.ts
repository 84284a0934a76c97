/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256;

/** A run of consecutive hashes of one level; level 0 has the leaf hashes (c2sp.org/tlog-tiles). */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** 1 to 256; a full tile has 256. */
  readonly width: number;
}

export type LogFile =
  | { readonly kind: 'hashes'; readonly tile: Tile }
  | { readonly kind: 'entries'; readonly index: number; readonly width: number };

const PATH = /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;
const LEVEL_MAX = 63;

export function tilePath({ level, index, width }: Tile): string {
  return `tile/${level}/${numberPath(index)}${partialSuffix(width)}`;
}

export function entriesPath(index: number, width: number): string {
  return `tile/entries/${numberPath(index)}${partialSuffix(width)}`;
}

/** Accepts the one canonical spelling of a path, so that a file has one address in every cache. */
export function parseTilePath(path: string): LogFile | null {
  const [, kind = '', number = '', partial] = PATH.exec(path) ?? [];
  if (kind === '') return null;
  const index = Number(number.replace(/[x/]/g, ''));
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  if (!Number.isSafeInteger(index) || numberPath(index) !== number) return null;
  if (partial !== undefined && width >= TILE_WIDTH) return null;
  if (kind === 'entries') return { kind, index, width };
  const level = Number(kind);
  return level > LEVEL_MAX ? null : { kind: 'hashes', tile: { level, index, width } };
}

/** The partial tile of each level, which the next leaves are appended to. */
export function edgeTiles(size: number): readonly Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    const width = hashes % TILE_WIDTH;
    if (width > 0) tiles.push({ level, index: Math.floor(hashes / TILE_WIDTH), width });
  }
  return tiles;
}

/** Every tile of a tree, level by level. A generator: a large log has millions. */
export function* tilesOf(size: number): Generator<Tile, void> {
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    for (let index = 0; index * TILE_WIDTH < hashes; index += 1) yield tileAt(level, index, size);
  }
}

/** A tile as wide as it is in a tree of this size. */
export function tileAt(level: number, index: number, size: number): Tile {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return { level, index, width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH) };
}

/** 1234067 is `x001/x234/067`. */
function numberPath(index: number): string {
  const last = String(index % 1_000).padStart(3, '0');
  let path = last;
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000)) {
    path = `x${String(rest % 1_000).padStart(3, '0')}/${path}`;
  }
  return path;
}

function partialSuffix(width: number): string {
  return width === TILE_WIDTH ? '' : `.p/${width}`;
}
