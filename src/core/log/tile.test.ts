import { describe, expect, it } from 'vitest';
import { edgeTiles, entriesPath, parseTilePath, tilePath, tilesOf } from './tile.ts';

describe('the path of a tile', () => {
  it.each([
    [0, 0, 256, 'tile/0/000'],
    [0, 0, 1, 'tile/0/000.p/1'],
    [1, 999, 255, 'tile/1/999.p/255'],
    [0, 1_000, 256, 'tile/0/x001/000'],
    [63, 1_234_067, 12, 'tile/63/x001/x234/067.p/12'],
    [0, 9_007_199_254_740_991, 256, 'tile/0/x009/x007/x199/x254/x740/991'],
  ])('of level %i, index %i, width %i is %s', (level, index, width, path) => {
    expect(tilePath({ level, index, width })).toBe(path);
    expect(parseTilePath(path)).toEqual({ kind: 'hashes', tile: { level, index, width } });
    const entries = path.replace(`tile/${level}/`, 'tile/entries/');
    expect(entriesPath(index, width)).toBe(entries);
    expect(parseTilePath(entries)).toEqual({ kind: 'entries', index, width });
  });

  it.each([
    '',
    'checkpoint',
    'tile/0',
    'tile/0/',
    '/tile/0/000',
    'tile/0/000/',
    'tile/0/0',
    'tile/0/0000',
    'tile/0/x000/000',
    'tile/0/x000/001',
    'tile/0/001/000',
    'tile/0/x001',
    'tile/0/x01/000',
    'tile/0/X001/000',
    'tile/00/000',
    'tile/64/000',
    'tile/100/000',
    'tile/-1/000',
    'tile/0/000.p',
    'tile/0/000.p/',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/300',
    'tile/0/000.p/1/',
    'tile/0/000.P/1',
    'tile/0/000%2ep/1',
    'tile/0/٠٠٠',
    'tile/0/000\n',
    'tile/data/000',
    'tile/Entries/000',
    'tile/0/x009/x007/x199/x254/x740/992',
    'tile/0/x999/x999/x999/x999/x999/x999/999',
    `tile/0/${'x001/'.repeat(100_000)}000`,
  ])('refuses %j', (path) => {
    expect(parseTilePath(path)).toBeNull();
  });
});

describe('the tiles of a tree', () => {
  it('are those of the example in the specification', () => {
    const tiles = [...tilesOf(70_000)];
    const count = (level: number, width: number) =>
      tiles.filter((tile) => tile.level === level && tile.width === width).length;
    expect(tiles).toHaveLength(273 + 1 + 1 + 1 + 1);
    expect([count(0, 256), count(0, 112), count(1, 256), count(1, 17), count(2, 1)]).toEqual([
      273, 1, 1, 1, 1,
    ]);
    expect(edgeTiles(70_000).map(tilePath)).toEqual([
      'tile/0/273.p/112',
      'tile/1/001.p/17',
      'tile/2/000.p/1',
    ]);
  });

  it.each([
    [0, [], []],
    [1, ['tile/0/000.p/1'], ['tile/0/000.p/1']],
    [256, ['tile/0/000', 'tile/1/000.p/1'], ['tile/1/000.p/1']],
    [257, ['tile/0/000', 'tile/0/001.p/1', 'tile/1/000.p/1'], ['tile/0/001.p/1', 'tile/1/000.p/1']],
  ])('of size %i', (size, all, edge) => {
    expect([...tilesOf(size)].map(tilePath)).toEqual(all);
    expect(edgeTiles(size).map(tilePath)).toEqual(edge);
  });

  it('reach beyond 32 bits', () => {
    expect(edgeTiles(2 ** 40 + 3).map(tilePath)).toEqual(['tile/0/x004/x294/x967/296.p/3', 'tile/5/000.p/1']);
  });
});
