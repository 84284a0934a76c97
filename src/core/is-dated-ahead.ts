/** The clocks of our own processes are never this far apart (gap L76). */
export const CLOCKS_APART_MS = 300_000;

/** So far in the future that the clock which wrote it was wrong. */
export function isDatedAhead(atMs: number, now: Date): boolean {
  return atMs - now.getTime() > CLOCKS_APART_MS;
}
