import { describe, expect, it } from 'vitest';
import { wilsonInterval } from './wilson-interval.ts';

describe('the Wilson interval of a pass rate', () => {
  // Worked out apart from this code, from the formula of the score interval.
  it.each<[number, number, [number, number]]>([
    [0, 5, [0, 0.4345]],
    [1, 1, [0.2065, 1]],
    [2, 2, [0.3424, 1]],
    [5, 5, [0.5655, 1]],
    [10, 20, [0.2993, 0.7007]],
    [19, 20, [0.7639, 0.9911]],
    [20, 20, [0.8389, 1]],
    [81, 263, [0.2553, 0.3662]],
    [15, 148, [0.0624, 0.1605]],
  ])('%i of %i', (passed, graded, [low, high]) => {
    const interval = wilsonInterval(passed, graded);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it('does not exist without graded calls', () => {
    expect(wilsonInterval(0, 0)).toBeNull();
  });

  it('contains the rate and stays between 0 and 1', () => {
    for (let graded = 1; graded <= 60; graded += 1) {
      for (let passed = 0; passed <= graded; passed += 1) {
        const { low, high } = wilsonInterval(passed, graded) ?? { low: Number.NaN, high: Number.NaN };
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(passed / graded);
        expect(high).toBeGreaterThanOrEqual(passed / graded);
        expect(high).toBeLessThanOrEqual(1);
      }
    }
  });
});
