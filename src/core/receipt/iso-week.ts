const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05, the first Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Monday 00:00 UTC of the week that this moment is in. */
export function mondayOf(at: Date): Date {
  const weeks = Math.floor((at.getTime() - FIRST_MONDAY_MS) / WEEK_MS);
  return new Date(FIRST_MONDAY_MS + weeks * WEEK_MS);
}

export function weeksLater(monday: Date, weeks: number): Date {
  return new Date(monday.getTime() + weeks * WEEK_MS);
}

/** The ISO 8601 week that begins on this Monday, such as `2026w47`. Its Thursday decides the year. */
export function weekName(monday: Date): string {
  const thursday = new Date(monday.getTime() + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS) + 1;
  return `${year}w${String(week).padStart(2, '0')}`;
}
