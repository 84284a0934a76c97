import { expect, it } from 'vitest';
import { isDeeperThan } from './is-deeper-than.ts';

const arrays = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
const objects = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

it.each<[why: string, value: unknown, deeper: boolean]>([
  ['a text has no depth', 'x', false],
  ['null is no object', null, false],
  ['arrays as deep as allowed', arrays(3), false],
  ['arrays one deeper', arrays(4), true],
  ['objects as deep as allowed', objects(3), false],
  ['objects one deeper', objects(4), true],
  ['wide is not deep', Array.from({ length: 10_000 }, () => [1]), false],
  ['one deep value among many', [1, [], { a: 1 }, objects(4)], true],
  ['a hundred thousand levels', arrays(100_000), true],
])('%s', (_, value, deeper) => {
  expect(isDeeperThan(value, 3)).toBe(deeper);
});
