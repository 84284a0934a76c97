import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leavesOf, memoryTree } from '../../../test/support/log/memory-tree.ts';
import { consistencyProof, inclusionProof, rootOf } from './prove.ts';
import { EMPTY_ROOT } from './tree-hash.ts';
import { isConsistent, isIncluded } from './verify-proof.ts';

const MOST = 2_000;
const leaves = leavesOf(MOST);
const tree = memoryTree();
tree.append(leaves);

const pair = fc
  .tuple(fc.integer({ min: 1, max: MOST }), fc.integer({ min: 1, max: MOST }))
  .map(([one, two]): [number, number] => [Math.min(one, two), Math.max(one, two)]);
const bit = fc.nat({ max: 255 });

function flipped(hash: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(hash);
  copy[at >> 3] = (copy[at >> 3] ?? 0) ^ (1 << (at & 7));
  return copy;
}

const flippedOne = (proof: readonly Uint8Array[], which: number, at: number) =>
  proof.map((hash, index) => (index === which ? flipped(hash, at) : hash));

describe('any single flipped bit is refused', () => {
  it('in the proof, the root and the leaf of an inclusion', async () => {
    await fc.assert(
      fc.asyncProperty(pair, bit, async ([place, size], at) => {
        const index = place - 1;
        const root = await rootOf(size, tree.read);
        const proof = await inclusionProof(index, size, tree.read);
        const claim = { index, size, root, leaf: leaves[index] ?? EMPTY_ROOT, proof };
        expect(isIncluded(claim)).toBe(true);
        expect(isIncluded({ ...claim, root: flipped(root, at) })).toBe(false);
        expect(isIncluded({ ...claim, leaf: flipped(claim.leaf, at) })).toBe(false);
        for (const which of proof.keys()) {
          expect(isIncluded({ ...claim, proof: flippedOne(proof, which, at) })).toBe(false);
        }
      }),
    );
  });

  it('in the proof and both roots of a consistency', async () => {
    await fc.assert(
      fc.asyncProperty(pair, bit, async ([oldSize, size], at) => {
        const [oldRoot, root] = [await rootOf(oldSize, tree.read), await rootOf(size, tree.read)];
        const proof = await consistencyProof(oldSize, size, tree.read);
        const claim = { oldSize, oldRoot, size, root, proof };
        expect(isConsistent(claim)).toBe(true);
        expect(isConsistent({ ...claim, oldRoot: flipped(oldRoot, at) })).toBe(false);
        expect(isConsistent({ ...claim, root: flipped(root, at) })).toBe(false);
        for (const which of proof.keys()) {
          expect(isConsistent({ ...claim, proof: flippedOne(proof, which, at) })).toBe(false);
        }
      }),
    );
  });

  it('also when the index, or the size of the old tree, is changed instead', async () => {
    await fc.assert(
      fc.asyncProperty(pair, pair, async ([place, size], [otherPlace]) => {
        // The size of the new tree is not in its root: the checkpoint signs both.
        fc.pre(otherPlace !== place && otherPlace <= size);
        const index = place - 1;
        const root = await rootOf(size, tree.read);
        const proof = await inclusionProof(index, size, tree.read);
        const leaf = leaves[index] ?? EMPTY_ROOT;
        expect(isIncluded({ index: otherPlace - 1, size, root, leaf, proof })).toBe(false);
        const oldRoot = await rootOf(place, tree.read);
        const steps = await consistencyProof(place, size, tree.read);
        expect(isConsistent({ oldSize: otherPlace, oldRoot, size, root, proof: steps })).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
