/** The files that end in `.long.test.ts`, and what comes through a socket: without it `npm test` leaves them out. */
export const IS_LONG = process.env['TEST_LONG'] === '1';

/** `npm run test:long` sets it. Everything else runs the same cases with smaller numbers. */
const IS_FULL_SIZE = process.env['TEST_SIZE'] === 'full';

/** How often a case repeats: random inputs of a property, rounds of a race, rows of a large world. */
export function sized(normal: number, full: number): number {
  return IS_FULL_SIZE ? full : normal;
}
