import { EMPTY_ROOT, type Hash, hashNode, isHash, isSameBytes } from './tree-hash.ts';

export interface InclusionClaim {
  readonly index: number;
  readonly size: number;
  readonly root: Hash;
  /** The leaf hash, not the entry. */
  readonly leaf: Hash;
  readonly proof: readonly Hash[];
}

export interface ConsistencyClaim {
  readonly oldSize: number;
  readonly oldRoot: Hash;
  readonly size: number;
  readonly root: Hash;
  readonly proof: readonly Hash[];
}

/** RFC 9162, section 2.1.3.2. Sizes exceed 32 bits, so halving replaces shifts. */
export function isIncluded({ index, size, root, leaf, proof }: InclusionClaim): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || ![root, leaf, ...proof].every(isHash))
    return false;
  let [first, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(first) || first === last) {
      hash = hashNode(sibling, hash);
      while (!isOdd(first) && first !== 0) [first, last] = [half(first), half(last)];
    } else {
      hash = hashNode(hash, sibling);
    }
    [first, last] = [half(first), half(last)];
  }
  return last === 0 && isSameBytes(hash, root);
}

/** RFC 9162, section 2.1.4.2; the empty tree is a prefix of every tree and needs no proof. */
export function isConsistent({ oldSize, oldRoot, size, root, proof }: ConsistencyClaim): boolean {
  if (!isCount(oldSize) || !isCount(size) || oldSize > size) return false;
  if (![oldRoot, root, ...proof].every(isHash)) return false;
  if (size === 0 && !isSameBytes(root, EMPTY_ROOT)) return false;
  if (oldSize === 0) return proof.length === 0 && isSameBytes(oldRoot, EMPTY_ROOT);
  if (oldSize === size) return proof.length === 0 && isSameBytes(oldRoot, root);
  return isPrefix({ oldSize, oldRoot, size, root, proof });
}

function isPrefix({ oldSize, oldRoot, size, root, proof }: ConsistencyClaim): boolean {
  let [first, last] = [oldSize - 1, size - 1];
  while (isOdd(first)) [first, last] = [half(first), half(last)];
  // Only the tree of a power of two ends at the root of a subtree: that root is the old one, and not in the proof.
  const [start, ...path] = first === 0 ? [oldRoot, ...proof] : proof;
  if (start === undefined) return false;
  let [oldHash, hash] = [start, start];
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(first) || first === last) {
      oldHash = hashNode(sibling, oldHash);
      hash = hashNode(sibling, hash);
      while (!isOdd(first) && first !== 0) [first, last] = [half(first), half(last)];
    } else {
      hash = hashNode(hash, sibling);
    }
    [first, last] = [half(first), half(last)];
  }
  return last === 0 && isSameBytes(oldHash, oldRoot) && isSameBytes(hash, root);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}
