import type { TreeHead } from './checkpoint.ts';
import { consistencyProof, type ReadTile, rootOf } from './prove.ts';
import { tileAt } from './tile.ts';
import { HASH_BYTES, isSameBytes } from './tree-hash.ts';
import { isConsistent } from './verify-proof.ts';

/**
 * Whether the smaller tree is how the larger one began. The tiles are those of the larger one, and nobody vouches for them:
 * `forked` is proved by the two heads alone, `unproved` are tiles that belong to another tree.
 */
export async function compareHeads(
  old: TreeHead,
  next: TreeHead,
  read: ReadTile,
): Promise<'grown' | 'forked' | 'unproved'> {
  const { size, root } = next;
  if (old.size === size) return isSameBytes(old.root, root) ? 'grown' : 'forked';
  const proof = await consistencyProof(old.size, size, read);
  const isPrefix = (oldRoot: Uint8Array) => isConsistent({ oldSize: old.size, oldRoot, size, root, proof });
  if (isPrefix(old.root)) return 'grown';
  const found = await rootOf(old.size, async ({ level, index, width }) =>
    (await read(tileAt(level, index, size))).subarray(0, width * HASH_BYTES),
  );
  return isPrefix(found) ? 'forked' : 'unproved';
}
