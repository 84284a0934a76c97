const WINDOW = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([01][0-9]|2[0-3])(?::([0-5][0-9]))?)?$/;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The first moment after a window such as '2026-11-15', '2026-11-15T12' or '2026-11-15T12:34', in UTC milliseconds. */
export function windowEnd(window: string): number {
  const [, day, hour, minute] = WINDOW.exec(window) ?? [];
  const start = Date.parse(`${day}T${hour ?? '00'}:${minute ?? '00'}:00.000Z`);
  if (Number.isNaN(start)) throw new Error(`not a counter window: ${JSON.stringify(window)}`);
  if (minute !== undefined) return start + MINUTE_MS;
  return start + (hour === undefined ? DAY_MS : HOUR_MS);
}
