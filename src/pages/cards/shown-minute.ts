/** A time on a picture, UTC, to the minute. */
export function shownMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
