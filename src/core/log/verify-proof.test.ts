import { describe, expect, it } from 'vitest';
import { hexOf, leavesOf, memoryTree } from '../../../test/support/log/memory-tree.ts';
import { naivePath, naiveProof, naiveRoot } from '../../../test/support/log/naive-tree.ts';
import { consistencyProof, inclusionProof, rootOf } from './prove.ts';
import { EMPTY_ROOT, hashNode } from './tree-hash.ts';
import { isConsistent, isIncluded } from './verify-proof.ts';

const SMALL = 64;
const leaves = leavesOf(66_000);
const tree = memoryTree();
tree.append(leaves);
const roots = Array.from({ length: SMALL + 1 }, (_, size) => naiveRoot(leaves.slice(0, size)));
const rootAt = (size: number) => roots[size] ?? EMPTY_ROOT;
const leafAt = (index: number) => leaves[index] ?? EMPTY_ROOT;
const hexes = (proof: readonly Uint8Array[]) => proof.map(hexOf);

describe('inclusion', () => {
  it('is proved for every leaf of every tree to 64, as RFC 6962 defines it', async () => {
    for (let size = 1; size <= SMALL; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const proof = await inclusionProof(index, size, tree.read);
        expect(hexes(proof)).toEqual(hexes(naivePath(index, leaves.slice(0, size))));
        const claim = { index, size, root: rootAt(size), leaf: leafAt(index), proof };
        expect(isIncluded(claim)).toBe(true);
        expect(isIncluded({ ...claim, index: index + 1 })).toBe(false);
        expect(isIncluded({ ...claim, leaf: leafAt(index + 1) })).toBe(false);
        expect(isIncluded({ ...claim, proof: [...proof, leafAt(0)] })).toBe(false);
        if (size > 1) expect(isIncluded({ ...claim, proof: proof.slice(0, -1) })).toBe(false);
      }
    }
  });

  it.each([
    [0, 66_000],
    [255, 256],
    [256, 257],
    [65_535, 65_536],
    [65_536, 65_537],
    [65_999, 66_000],
  ])('is proved for leaf %i of %i', async (index, size) => {
    const proof = await inclusionProof(index, size, tree.read);
    expect(hexes(proof)).toEqual(hexes(naivePath(index, leaves.slice(0, size))));
    const root = await rootOf(size, tree.read);
    expect(isIncluded({ index, size, root, leaf: leafAt(index), proof })).toBe(true);
  });

  it('reads each tile once', async () => {
    const read: string[] = [];
    await inclusionProof(33_333, 66_000, (tile) => {
      read.push(`${tile.level}/${tile.index}/${tile.width}`);
      return tree.read(tile);
    });
    // Right of the leaf's path lie the partial tiles of both lower levels.
    expect(read.sort()).toEqual(['0/130/256', '0/257/208', '1/0/256', '1/1/1']);
  });

  it.each([
    [1, 1],
    [-1, 1],
    [0, 0],
    [0.5, 2],
    [0, 2 ** 53],
  ])('has no proof for leaf %j of %j', async (index, size) => {
    await expect(inclusionProof(index, size, tree.read)).rejects.toThrow('No leaf');
    expect(isIncluded({ index, size, root: rootAt(1), leaf: leafAt(0), proof: [] })).toBe(false);
  });

  it('is refused for hashes of another length', () => {
    const claim = { index: 0, size: 2, root: rootAt(2), leaf: leafAt(0), proof: [leafAt(1)] };
    expect(isIncluded(claim)).toBe(true);
    for (const change of [
      { proof: [leafAt(1).subarray(1)] },
      { proof: [new Uint8Array()] },
      { leaf: leafAt(0).subarray(1) },
      { root: new Uint8Array() },
    ]) {
      expect(isIncluded({ ...claim, ...change })).toBe(false);
    }
  });

  it('is refused for a larger tree than the proof reaches the top of', () => {
    const claim = { index: 0, size: 2, root: rootAt(2), leaf: leafAt(0), proof: [leafAt(1)] };
    expect(isIncluded(claim)).toBe(true);
    expect(isIncluded({ ...claim, size: 4 })).toBe(false);
  });

  it('is verified beyond 32 bits', () => {
    const [leaf, sibling] = [leafAt(0), leafAt(1)];
    let below = leaf;
    for (let level = 0; level < 39; level += 1) below = hashNode(below, sibling);
    const root = hashNode(sibling, below);
    const proof = Array.from({ length: 40 }, () => sibling);
    const claim = { index: 2 ** 39, size: 2 ** 40, root, leaf, proof };
    expect(isIncluded(claim)).toBe(true);
    expect(isIncluded({ ...claim, index: 0 })).toBe(false);
    expect(isIncluded({ ...claim, index: 2 ** 39 + 2 ** 32 })).toBe(false);
  });
});

describe('consistency', () => {
  it('is proved for every pair of trees to 64, as RFC 6962 defines it', async () => {
    for (let size = 1; size <= SMALL; size += 1) {
      for (let oldSize = 1; oldSize <= size; oldSize += 1) {
        const proof = await consistencyProof(oldSize, size, tree.read);
        expect(hexes(proof)).toEqual(hexes(naiveProof(oldSize, leaves.slice(0, size))));
        const claim = { oldSize, oldRoot: rootAt(oldSize), size, root: rootAt(size), proof };
        expect(isConsistent(claim)).toBe(true);
        expect(isConsistent({ ...claim, oldRoot: leafAt(99) })).toBe(false);
        expect(isConsistent({ ...claim, root: leafAt(99) })).toBe(false);
        expect(isConsistent({ ...claim, proof: [...proof, leafAt(0)] })).toBe(false);
        if (proof.length > 0) expect(isConsistent({ ...claim, proof: proof.slice(0, -1) })).toBe(false);
        if (proof.length > 0) expect(isConsistent({ ...claim, proof: proof.slice(1) })).toBe(false);
      }
    }
  });

  it.each([
    [255, 256],
    [256, 66_000],
    [257, 66_000],
    [65_535, 65_537],
    [65_536, 66_000],
  ])('is proved from %i to %i', async (oldSize, size) => {
    const proof = await consistencyProof(oldSize, size, tree.read);
    expect(hexes(proof)).toEqual(hexes(naiveProof(oldSize, leaves.slice(0, size))));
    const [oldRoot, root] = [await rootOf(oldSize, tree.read), await rootOf(size, tree.read)];
    expect(isConsistent({ oldSize, oldRoot, size, root, proof })).toBe(true);
  });

  it('needs no proof from the empty tree, which has one root only', async () => {
    const claim = { oldSize: 0, oldRoot: EMPTY_ROOT, size: 5, root: rootAt(5), proof: [] };
    expect(await consistencyProof(0, 5, tree.read)).toEqual([]);
    expect(isConsistent(claim)).toBe(true);
    expect(isConsistent({ ...claim, size: 0, root: EMPTY_ROOT })).toBe(true);
    expect(isConsistent({ ...claim, size: 0 })).toBe(false);
    expect(isConsistent({ ...claim, oldRoot: rootAt(1) })).toBe(false);
    expect(isConsistent({ ...claim, proof: [leafAt(0)] })).toBe(false);
  });

  it('is refused for a larger tree than the proof reaches the top of', async () => {
    const proof = await consistencyProof(2, 4, tree.read);
    const claim = { oldSize: 2, oldRoot: rootAt(2), size: 4, root: rootAt(4), proof };
    expect(isConsistent(claim)).toBe(true);
    expect(isConsistent({ ...claim, size: 8 })).toBe(false);
  });

  it('is refused backwards, and for one size with two roots', async () => {
    await expect(consistencyProof(6, 5, tree.read)).rejects.toThrow('prefix');
    const claim = { oldSize: 6, oldRoot: rootAt(6), size: 5, root: rootAt(5), proof: [] };
    expect(isConsistent(claim)).toBe(false);
    expect(isConsistent({ ...claim, oldSize: 5 })).toBe(false);
  });
});

describe('a tile reader that answers with another width', () => {
  it('fails the proof', async () => {
    const short = () => Promise.resolve(new Uint8Array(32));
    await expect(inclusionProof(1, 300, short)).rejects.toThrow('width');
    await expect(rootOf(0.5, short)).rejects.toThrow('leaves');
  });
});
