import { describe, expect, it } from 'vitest';
import { boundedCopies } from './bounded-copies.ts';

describe('copies of one thing in progress', () => {
  it('are bounded for each key, and a place is free again when one leaves', () => {
    const enter = boundedCopies(2);
    const [first, second] = [enter('a'), enter('a')];
    expect([first, second, enter('a')].map((leave) => leave !== null)).toEqual([true, true, false]);
    expect(enter('b')).not.toBeNull();
    first?.();
    expect(enter('a')).not.toBeNull();
    expect(enter('a')).toBeNull();
  });
});
