import { describe, expect, it } from 'vitest';
import { entryOf, memoryTree } from '../../../test/support/log/memory-tree.ts';
import { withFlippedBit } from '../../../test/support/log/static-log.ts';
import { compareHeads } from './compare-heads.ts';
import type { ReadTile } from './prove.ts';
import { hashLeaf } from './tree-hash.ts';

const SIZES = [1, 2, 3, 7, 8, 255, 256, 257, 300, 512, 700];

/** The tree of this size; its second entry may be another one. */
function treeOf(size: number, second = entryOf(1)) {
  const tree = memoryTree();
  tree.append(Array.from({ length: size }, (_, at) => hashLeaf(at === 1 ? second : entryOf(at))));
  return tree;
}

const headOf = (size: number, second?: Uint8Array) => ({
  ...{ origin: 'log.example', ...treeOf(size, second).head() },
});
const PAIRS = SIZES.flatMap((old) => SIZES.filter((size) => size >= old).map((size) => [old, size] as const));

describe('two heads of one log', () => {
  it.each(PAIRS)('of size %i and %i: one grew out of the other, or it did not', async (old, size) => {
    const { read } = treeOf(size);
    expect(await compareHeads(headOf(old), headOf(size), read)).toBe('grown');
    if (old === 1) return;
    const other = headOf(old, Buffer.from('other'));
    expect(await compareHeads(other, headOf(size), read)).toBe('forked');
  });

  it.each(PAIRS.filter(([old, size]) => old < size))(
    'of size %i and %i: tiles that were spoilt on their way prove nothing',
    async (old, size) => {
      const spoilt: ReadTile = async (tile) => withFlippedBit(await treeOf(size).read(tile), 3);
      expect(['grown', 'unproved']).toContain(await compareHeads(headOf(old), headOf(size), spoilt));
      const other = headOf(old, Buffer.from('other'));
      const found = await compareHeads(other, headOf(size), treeOf(size, Buffer.from('third')).read);
      expect(found).toBe('unproved');
    },
  );

  it('the empty tree is how every tree began', async () => {
    expect(await compareHeads(headOf(0), headOf(9), treeOf(9).read)).toBe('grown');
  });
});
