import { TILE_WIDTH } from './tile.ts';

const LENGTH_BYTES = 2;
const ENTRY_MAX_BYTES = 65_535;

/** Entries one after the other, each behind its length in two bytes (c2sp.org/tlog-tiles). */
export function writeBundle(entries: readonly Uint8Array[]): Uint8Array {
  if (entries.length > TILE_WIDTH) throw new Error('A bundle has at most 256 entries.');
  return Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > ENTRY_MAX_BYTES) throw new Error('An entry has at most 65,535 bytes.');
      return [Buffer.of(entry.length >> 8, entry.length & 0xff), entry];
    }),
  );
}

/** Null unless the bytes are exactly this many entries. */
export function parseBundle(bytes: Uint8Array, count: number): readonly Uint8Array[] | null {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length && entries.length < count) {
    const [high, low] = [bytes[at], bytes[at + 1]];
    if (high === undefined || low === undefined) return null;
    const start = at + LENGTH_BYTES;
    at = start + high * 256 + low;
    entries.push(bytes.subarray(start, at));
  }
  return at === bytes.length && entries.length === count ? entries : null;
}
