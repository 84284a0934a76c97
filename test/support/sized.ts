/** `npm run test:long` sets it. `npm test` runs the same cases with smaller numbers. */
export const IS_LONG = process.env['TEST_LONG'] === '1';

/** How often a case repeats: random inputs of a property, rounds of a race, rows of a large world. */
export function sized(normal: number, long: number): number {
  return IS_LONG ? long : normal;
}
