import { hash } from 'node:crypto';

/** A SHA-256 hash, 32 bytes. */
export type Hash = Uint8Array;

export const HASH_BYTES = 32;

/** The root of a tree without entries (RFC 6962, section 2.1). */
export const EMPTY_ROOT: Hash = hash('sha256', '', 'buffer');

// The prefixes keep an entry from being taken for a node.
const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = 1;

export function hashLeaf(entry: Uint8Array): Hash {
  return hash('sha256', Buffer.concat([LEAF_PREFIX, entry]), 'buffer');
}

export function hashNode(left: Hash, right: Hash): Hash {
  const node = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  node[0] = NODE_PREFIX;
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return hash('sha256', node, 'buffer');
}

/** The root over hashes that lie side by side; their number is a power of two. */
export function hashPerfect(hashes: Uint8Array): Hash {
  const node = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  node[0] = NODE_PREFIX;
  const work = Buffer.from(hashes);
  for (let width = work.length; width > HASH_BYTES; width /= 2) {
    for (let at = 0; at < width; at += 2 * HASH_BYTES) {
      work.copy(node, 1, at, at + 2 * HASH_BYTES);
      work.set(hash('sha256', node, 'buffer'), at / 2);
    }
  }
  // A copy: a view would keep the whole tile in memory.
  return Uint8Array.prototype.slice.call(work, 0, HASH_BYTES);
}

export function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_BYTES;
}

export function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
