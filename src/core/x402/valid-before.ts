import { type JsonObject, member, memberOf } from './read-json.ts';

/** The deadline for using a signature, from the entry or its `extra`; the earlier one if both are given (gap G44). */
export function readValidBefore(entry: JsonObject): number | null {
  const instants = [entry, member(entry, 'extra')]
    .map((place) => instantOf(memberOf(place, 'validBefore')))
    .filter((instant) => instant !== null);
  return instants.length === 0 ? null : Math.min(...instants);
}

const UNIX_SECONDS = /^(0|[1-9][0-9]{0,11})$/;
const DATE = '([0-9]{4})-([0-9]{2})-([0-9]{2})';
const TIME = '([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]{1,9}))?)?';
const ZONE = '(?:Z|([+-])([0-9]{2}):?([0-9]{2}))?';
const ISO_8601 = new RegExp(`^${DATE}(?:[T ]${TIME}${ZONE})?$`, 'i');
// The end of the year 9999: later instants do not print as ISO 8601, so they cannot be a deadline.
const LAST_MS = 253_402_300_799_999;

/** Milliseconds UTC; null when the value cannot be used. */
function instantOf(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  const instant = UNIX_SECONDS.test(text) ? Number(text) * 1_000 : isoInstant(text);
  return instant !== null && instant >= 0 && instant <= LAST_MS ? instant : null;
}

/** Parsed part by part: Date.parse takes 30 February for 2 March, and a time without a zone for local time. */
function isoInstant(text: string): number | null {
  const match = ISO_8601.exec(text);
  if (match === null) return null;
  const number = (group: number) => Number(match[group] ?? 0);
  const date = new Date(Date.UTC(number(1), number(2) - 1, number(3)));
  if (date.toISOString().slice(0, 10) !== text.slice(0, 10)) return null;
  if (number(4) > 23 || number(5) > 59 || number(6) > 59 || number(9) > 23 || number(10) > 59) return null;
  const fraction = Math.floor(Number(`0.${match[7] ?? 0}`) * 1_000);
  const minutesEast = (match[8] === '-' ? -1 : 1) * (number(9) * 60 + number(10));
  return date.getTime() + ((number(4) * 60 + number(5) - minutesEast) * 60 + number(6)) * 1_000 + fraction;
}
