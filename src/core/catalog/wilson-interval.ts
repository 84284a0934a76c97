/** A share with the bounds of its 95 % confidence interval, each from 0 to 1. */
export interface RateInterval {
  readonly low: number;
  readonly high: number;
}

// The 97.5th percentile of the normal distribution: a two-sided 95 % interval.
const Z = 1.959963984540054;

/**
 * The Wilson score interval, which discounts a pass rate that rests on few calls: two passes of two are at least about a
 * third. Null when nothing was graded.
 */
export function wilsonInterval(passed: number, graded: number): RateInterval | null {
  if (graded === 0) return null;
  const rate = passed / graded;
  const z2 = Z * Z;
  const centre = rate + z2 / (2 * graded);
  const margin = Z * Math.sqrt((rate * (1 - rate) + z2 / (4 * graded)) / graded);
  const scale = 1 + z2 / graded;
  // Rounding must not move a bound of 0 or 1 past the rate itself.
  return {
    low: passed === 0 ? 0 : (centre - margin) / scale,
    high: passed === graded ? 1 : (centre + margin) / scale,
  };
}
