import { createHash } from 'node:crypto';

/** The definitions of RFC 6962, section 2.1, word for word and without anything of ours. */
const sha256 = (...parts: Uint8Array[]): Uint8Array => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

const LEAF = Uint8Array.of(0x00);
const NODE = Uint8Array.of(0x01);

/** k, the largest power of two smaller than n. */
const split = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

export const naiveLeaf = (entry: Uint8Array): Uint8Array => sha256(LEAF, entry);

/** MTH over leaf hashes. */
export function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return sha256();
  if (leaves.length === 1) return only;
  const k = split(leaves.length);
  return sha256(NODE, naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
}

/** PATH(m, D[n]). */
export function naivePath(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m < k ? [...naivePath(m, left), naiveRoot(right)] : [...naivePath(m - k, right), naiveRoot(left)];
}

/** PROOF(m, D[n]), for 0 < m < n. */
export function naiveProof(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  return subproof(m, leaves, true);
}

function subproof(m: number, leaves: readonly Uint8Array[], isOldRoot: boolean): Uint8Array[] {
  if (m === leaves.length) return isOldRoot ? [] : [naiveRoot(leaves)];
  const k = split(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m <= k
    ? [...subproof(m, left, isOldRoot), naiveRoot(right)]
    : [...subproof(m - k, right, false), naiveRoot(left)];
}
