import { describe, expect, it } from 'vitest';
import { inBatches } from './in-batches.ts';

describe('batches', () => {
  it.each<[why: string, items: number[], batches: number[][]]>([
    ['nothing makes no batch', [], []],
    ['fewer than one batch', [1], [[1]]],
    ['exactly one batch', [1, 2], [[1, 2]]],
    ['a rest', [1, 2, 3], [[1, 2], [3]]],
  ])('%s', (_, items, batches) => {
    expect(inBatches(items, 2)).toEqual(batches);
  });
});
