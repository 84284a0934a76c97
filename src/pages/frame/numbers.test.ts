import { describe, expect, it } from 'vitest';
import { grouped, percent } from './numbers.ts';

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [1_234_567, '1,234,567'],
  ])('%i is %s', (count, text) => {
    expect(grouped(count)).toBe(text);
  });

  it.each([
    ['nothing of nothing', 0, 0, '0 %'],
    ['nothing', 0, 9, '0 %'],
    ['all', 9, 9, '100 %'],
    ['a third', 1, 3, '33.3 %'],
    ['next to nothing', 1, 100_000, '<0.1 %'],
    ['nearly all', 99_999, 100_000, '>99.9 %'],
  ])('%s', (_, part, whole, text) => {
    expect(percent(part, whole)).toBe(text.replace(' ', '\u00a0'));
  });
});
