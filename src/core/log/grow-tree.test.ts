import { describe, expect, it } from 'vitest';
import { hexOf, leavesOf, memoryTree } from '../../../test/support/log/memory-tree.ts';
import { naiveLeaf, naiveRoot } from '../../../test/support/log/naive-tree.ts';
import { growTree } from './grow-tree.ts';
import { rootOf } from './prove.ts';
import { edgeTiles, tilePath, tilesOf } from './tile.ts';
import { EMPTY_ROOT, HASH_BYTES, hashLeaf, hashNode } from './tree-hash.ts';
import { createTreeWriter } from './tree-writer.ts';

/** The entries and roots that the implementations of Certificate Transparency are tested with. */
const VECTORS: [entry: string, root: string][] = [
  ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  ['606162636465666768696a6b6c6d6e6f', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
];

const AROUND_POWERS = [255, 256, 257, 511, 512, 513, 65_280, 65_535, 65_536, 65_537, 65_792, 66_000];

describe('the vectors of RFC 6962 implementations', () => {
  it('give the same roots', () => {
    const tree = memoryTree();
    expect(hexOf(tree.head().root)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    for (const [entry, root] of VECTORS) {
      expect(hexOf(tree.append([hashLeaf(Buffer.from(entry, 'hex'))]).root)).toBe(root);
    }
  });

  it('keep leaves and nodes apart', () => {
    const [left, right] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    expect(hexOf(hashNode(left, right))).not.toBe(hexOf(hashLeaf(Buffer.concat([left, right]))));
    expect(hexOf(hashLeaf(left))).toBe(hexOf(naiveLeaf(left)));
  });
});

describe('a growing tree', () => {
  const leaves = leavesOf(66_000);

  it('has the root of the definition at every size to 600, leaf by leaf, and from its tiles again', async () => {
    const tree = memoryTree();
    for (let size = 1; size <= 600; size += 1) {
      const root = hexOf(tree.append(leaves.slice(size - 1, size)).root);
      expect(root).toBe(hexOf(naiveRoot(leaves.slice(0, size))));
      expect(hexOf(await rootOf(size, tree.read))).toBe(root);
    }
  });

  it('has it around powers of 256, whatever the batches', async () => {
    const tree = memoryTree();
    let before = 0;
    for (const size of AROUND_POWERS) {
      const { root } = tree.append(leaves.slice(before, size));
      before = size;
      expect(hexOf(root)).toBe(hexOf(naiveRoot(leaves.slice(0, size))));
      expect(hexOf(await rootOf(size, tree.read))).toBe(hexOf(root));
    }
    expect([...tree.tiles.keys()].length).toBe([...tilesOf(66_000)].length);
  });

  it('hands out every changed tile in its widest form, and only those', () => {
    const tree = memoryTree();
    tree.append(leaves.slice(0, 255));
    const { tiles } = tree.append(leaves.slice(255, 600));
    expect(tiles.map(({ tile, bytes }) => [tilePath(tile), bytes.length / HASH_BYTES])).toEqual([
      ['tile/0/000', 256],
      ['tile/0/001', 256],
      ['tile/0/002.p/88', 88],
      ['tile/1/000.p/2', 2],
    ]);
    expect(tree.append([]).tiles).toEqual([]);
  });

  it('refuses an edge that is not of its size, and leaves of another length', () => {
    const edge = new Map([[0, Buffer.alloc(32 * 3)]]);
    expect(() => growTree(4, edge, [])).toThrow('partial tiles');
    expect(() => growTree(0, edge, [])).toThrow('partial tiles');
    expect(() => growTree(256 + 3, edge, [])).toThrow('partial tiles');
    expect(() => growTree(0, new Map(), [Buffer.alloc(31)])).toThrow('32 bytes');
  });
});

describe('the tree writer', () => {
  it.each([0, 1, 255, 256, 257, 600, 65_536, 66_000])('writes each tile of %i leaves once', (size) => {
    const leaves = leavesOf(size);
    const writer = createTreeWriter();
    const full = leaves.flatMap((leaf) => writer.append(leaf));
    const { tiles: partial, ...head } = writer.finish();
    expect(head.size).toBe(size);
    expect(hexOf(head.root)).toBe(hexOf(size === 0 ? EMPTY_ROOT : naiveRoot(leaves)));
    const paths = [...full, ...partial].map(({ tile }) => tilePath(tile));
    expect(paths.sort()).toEqual([...tilesOf(size)].map(tilePath).sort());
    expect(partial.map(({ tile }) => tile)).toEqual(edgeTiles(size));
    const tree = memoryTree();
    tree.append(leaves);
    for (const { tile, bytes } of [...full, ...partial]) {
      expect(hexOf(bytes)).toBe(
        hexOf(tree.tiles.get(tilePath({ ...tile, width: 256 })) ?? bytes.subarray(1)),
      );
    }
  });
});
