import { expect, it } from 'vitest';
import { randomIdHash } from './random-id-hash.ts';

const IDS = 65_536;
const SLOTS = 131_072;

/** The n-th id of a log, as its two halves. */
type Choice = (n: number) => readonly [high: number, low: number];

// Random hashes fill 51,600 slots on average, and hardly ever 500 fewer.
it.each<[string, Choice]>([
  ['that count up', (n) => [0, n]],
  ['that differ in their first half', (n) => [n, 0]],
  ['with the same two halves', (n) => [n, n]],
  ['whose halves end in zero bits', (n) => [(n >>> 8) << 24, (n & 255) << 24]],
  ['of which one half ends in zero bits', (n) => [n << 16, 7]],
  ['with bits in the middle', (n) => [(n >>> 8) << 12, (n & 255) << 12]],
  ['that differ by a power of two in both halves', (n) => [((n & 1) << 31) | (n >>> 1), (n & 1) << 31]],
])('spreads ids %s', (_, choice) => {
  const hashOf = randomIdHash();
  const filled = new Set<number>();
  for (let n = 0; n < IDS; n += 1) filled.add(hashOf(...choice(n)) & (SLOTS - 1));
  expect(filled.size).toBeGreaterThan(50_000);
});

it('is another one each time: a log cannot learn it', () => {
  const [one, other] = [randomIdHash(), randomIdHash()];
  const same = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => one(0, n) === other(0, n));
  expect(same.length).toBeLessThan(10);
});
