import { parseCheckpoint, type TreeHead } from '../../core/log/checkpoint.ts';
import { compareHeads } from '../../core/log/compare-heads.ts';
import { noteText } from '../../core/log/note.ts';
import { openCheckpoint } from '../../core/log/open-checkpoint.ts';
import { inclusionProof, type ReadTile } from '../../core/log/prove.ts';
import { TILE_WIDTH, tilePath } from '../../core/log/tile.ts';
import { HASH_BYTES, hashLeaf } from '../../core/log/tree-hash.ts';
import { isIncluded } from '../../core/log/verify-proof.ts';
import type { Trusted } from './held.ts';

/** A file below `/log/` of the service; null when it does not show it. */
export type ReadLogFile = (path: string) => Promise<Buffer | null>;

export interface Followed {
  readonly trusted: Trusted;
  readonly read: ReadLogFile;
}

/** An entry that has to be in the log, and where the service says that it is. */
export interface WantedEntry {
  readonly entry: string;
  readonly index: number;
}

const LATER_EPOCH = /(?<=\/log)\/([1-9][0-9]{0,5})$/;

/**
 * The log may show a buyer nothing that it does not show everybody: what it has signed for him has to be an entry, and the log has
 * to be the one that he saw before, grown. Null when that cannot be verified now.
 */
export async function followLog(
  { entry, index }: WantedEntry,
  followed: Followed,
): Promise<'there' | 'forked' | null> {
  const { trusted, read } = followed;
  const { memory } = trusted;
  const seen = await memory.read();
  const before = seen === null ? null : headIn(seen);
  const prefix = epochPrefix(trusted.origin);
  const note = (await read(`${prefix}checkpoint`))?.toString('utf8') ?? '';
  const next = signedHead(note, trusted);
  if (next === null || index >= next.size) return null;
  const tiles = tilesBelow(prefix, read);
  const { size, root } = next;
  const proof = await inclusionProof(index, size, tiles);
  if (!isIncluded({ index, size, root, leaf: hashLeaf(Buffer.from(entry)), proof })) return null;
  // A new epoch has another name and another key: changing the options begins with a new memory.
  const old = before?.origin === trusted.origin ? before : null;
  const [first, last] = old !== null && old.size > size ? [next, old] : [old, next];
  const compared = first === null ? 'grown' : await compareHeads(first, last, tiles);
  if (compared === 'unproved') return null;
  // What another process has kept meanwhile is compared, too: an older checkpoint that is kept over it would take it back.
  if ((await memory.read()) !== seen) return followLog({ entry, index }, followed);
  if (compared === 'forked') {
    await memory.keepFork([seen ?? '', note]);
    return 'forked';
  }
  if (last === next) await memory.keep(note);
  return 'there';
}

/** Verified when it was kept. */
function headIn(note: string): TreeHead {
  const head = parseCheckpoint(noteText(note) ?? '');
  if (head === null) throw new Error('what is remembered is no checkpoint');
  return head;
}

function signedHead(note: string, { key, origin }: Trusted): TreeHead | null {
  const policy = { logs: [{ key, url: null }], witnesses: [], groups: [], quorum: 'none' };
  const opened = openCheckpoint(note, policy, origin);
  return typeof opened === 'string' ? null : opened.head;
}

function epochPrefix(origin: string): string {
  const [, epoch] = LATER_EPOCH.exec(origin) ?? [];
  return epoch === undefined ? '' : `${epoch}/`;
}

function tilesBelow(prefix: string, read: ReadLogFile): ReadTile {
  return async (tile) => {
    // A log may drop a partial tile as soon as it has the full one.
    for (const width of new Set([tile.width, TILE_WIDTH])) {
      const bytes = await read(prefix + tilePath({ ...tile, width }));
      if (bytes?.length === width * HASH_BYTES) return bytes.subarray(0, tile.width * HASH_BYTES);
    }
    throw new Error('the log does not show a tile');
  };
}
