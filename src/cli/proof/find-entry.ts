import type { TreeHead } from '../../core/log/checkpoint.ts';
import { parseBundle } from '../../core/log/entry-bundle.ts';
import { inclusionProof } from '../../core/log/prove.ts';
import { entriesPath, TILE_WIDTH, tileAt } from '../../core/log/tile.ts';
import { hashLeaf } from '../../core/log/tree-hash.ts';
import { isIncluded } from '../../core/log/verify-proof.ts';
import { FileWithheld, type LogFiles, tilesIn } from './log-files.ts';

const BUNDLE_BYTES = TILE_WIDTH * 65_537;
/** A million entries. */
const BUNDLES_MAX = 4_096;

/** The newest entry that `isWanted`, proved to be in the tree of the head; null when there is none. */
export async function findEntry(
  { files, prefix, head }: { files: LogFiles; prefix: string; head: TreeHead },
  isWanted: (text: string) => boolean,
): Promise<string | null> {
  const last = Math.ceil(head.size / TILE_WIDTH) - 1;
  for (let index = last; index >= Math.max(0, last - BUNDLES_MAX); index -= 1) {
    const entries = await bundleAt(index, { files, prefix, head });
    const at = entries.findLastIndex((entry) => isWanted(Buffer.from(entry).toString()));
    const entry = entries[at];
    if (entry !== undefined && (await isThere(entry, index * TILE_WIDTH + at, { files, prefix, head })))
      return Buffer.from(entry).toString();
  }
  return null;
}

/** The first entry, which says what an epoch begins with. */
export async function firstEntry(where: {
  files: LogFiles;
  prefix: string;
  head: TreeHead;
}): Promise<string | null> {
  const [entry] = await bundleAt(0, where);
  const isProved = entry !== undefined && (await isThere(entry, 0, where));
  return isProved ? Buffer.from(entry).toString() : null;
}

interface Where {
  readonly files: LogFiles;
  readonly prefix: string;
  readonly head: TreeHead;
}

async function bundleAt(index: number, { files, prefix, head }: Where): Promise<readonly Uint8Array[]> {
  const { width } = tileAt(0, index, head.size);
  for (const wanted of new Set([width, TILE_WIDTH])) {
    const bytes = await files.get(`${prefix}${entriesPath(index, wanted)}`, BUNDLE_BYTES);
    const entries = bytes === null ? null : parseBundle(bytes, wanted);
    if (entries !== null) return entries.slice(0, width);
  }
  throw new FileWithheld(`the log does not show ${prefix}${entriesPath(index, width)}`);
}

async function isThere(entry: Uint8Array, index: number, { files, prefix, head }: Where): Promise<boolean> {
  const { size, root } = head;
  const proof = await inclusionProof(index, size, tilesIn(files, prefix));
  return isIncluded({ index, size, root, leaf: hashLeaf(entry), proof });
}
