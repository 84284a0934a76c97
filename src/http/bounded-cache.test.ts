import { describe, expect, it } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

const NAMES = ['a', 'b', 'c', 'd'];

describe('a bounded cache', () => {
  const length = { max: 10, of: (value: string) => value.length };
  it.each<[string, number, typeof length | null, readonly [string, string][], readonly string[]]>([
    [
      'keeps what fits',
      3,
      null,
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'forgets the oldest beyond its number',
      2,
      null,
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
      ['b', 'c'],
    ],
    [
      'counts a value that is put in again once, and as new',
      2,
      null,
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
        ['c', '4'],
      ],
      ['a', 'c'],
    ],
    [
      'forgets the oldest beyond its bytes',
      9,
      length,
      [
        ['a', '1234'],
        ['b', '1234'],
        ['c', '1234'],
      ],
      ['b', 'c'],
    ],
    [
      'forgets as many as it takes',
      9,
      length,
      [
        ['a', '1234'],
        ['b', '1234'],
        ['c', '123456789'],
      ],
      ['c'],
    ],
    [
      'does not keep what is too large by itself',
      9,
      length,
      [
        ['a', '1234'],
        ['b', '12345678901'],
      ],
      [],
    ],
    [
      'frees the bytes of a value that is put in again',
      9,
      length,
      [
        ['a', '12345678'],
        ['a', '1'],
        ['b', '12345678'],
      ],
      ['a', 'b'],
    ],
  ])('%s', (_, max, bytes, entries, kept) => {
    const cache = boundedCache<string>(max, bytes);
    for (const [key, value] of entries) cache.set(key, value);
    expect(NAMES.filter((name) => cache.get(name) !== undefined)).toEqual(kept);
  });
});
