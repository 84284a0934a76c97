const DATE_TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?) ?(Z|[+-][0-9]{2}:[0-9]{2})?)?$/i;
const DIGITS = /^[0-9]{9,13}$/;
// Seconds reach this number in the year 5138, milliseconds left it behind in 1973.
const SECONDS_BELOW = 100_000_000_000;

/** Milliseconds UTC from any form that lists use: ISO 8601, 'YYYY-MM-DD HH:MM:SS', Unix seconds or milliseconds. */
export function readListedTime(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  if (DIGITS.test(text)) return Number(text) < SECONDS_BELOW ? Number(text) * 1_000 : Number(text);
  const [, date, time = '00:00', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (date === undefined) return null;
  // Without a zone Date.parse would take local time; lists write UTC.
  const instant = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(instant) ? null : instant;
}
