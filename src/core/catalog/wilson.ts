// The 97.5th percentile of the normal distribution: a two-sided 95 % interval.
const Z = 1.959963984540054;

/**
 * The lower end of the Wilson score interval: what a pass rate is worth given how few calls stand behind it.
 * Two passes of two are 1.0 as a rate and about a third as a promise.
 */
export function wilsonLowerBound(passed: number, graded: number): number | null {
  if (graded === 0) return null;
  const rate = passed / graded;
  const z2 = Z * Z;
  const centre = rate + z2 / (2 * graded);
  const margin = Z * Math.sqrt((rate * (1 - rate) + z2 / (4 * graded)) / graded);
  return Math.max(0, (centre - margin) / (1 + z2 / graded));
}
