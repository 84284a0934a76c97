/** The clocks of our own processes are never this far apart (gap L76). */
export const CLOCKS_APART_MS = 300_000;

/** What is dated later than this was written by a wrong clock. */
export function newestTime(now: Date): Date {
  return new Date(now.getTime() + CLOCKS_APART_MS);
}

/** So far in the future that the clock which wrote it was wrong. */
export function isDatedAhead(atMs: number, now: Date): boolean {
  return atMs - now.getTime() > CLOCKS_APART_MS;
}
