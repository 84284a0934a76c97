/** Quotas run by the UTC calendar, whatever the machine's time zone. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

export function utcHour(now: Date): string {
  return now.toISOString().slice(0, 13);
}

export function utcMinute(now: Date): string {
  return now.toISOString().slice(0, 16);
}

export function secondsToNextUtcDay(now: Date): number {
  return secondsToMultiple(now, DAY_MS);
}

export function secondsToNextUtcHour(now: Date): number {
  return secondsToMultiple(now, HOUR_MS);
}

export function secondsToNextUtcMinute(now: Date): number {
  return secondsToMultiple(now, MINUTE_MS);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Rounded up, so that a caller who waits exactly this long is never early. */
function secondsToMultiple(now: Date, stepMs: number): number {
  return Math.ceil((stepMs - (now.getTime() % stepMs)) / 1_000);
}
