import { readNumber } from './read-number.ts';

// Seconds since 1970 have ten digits for the next centuries, milliseconds thirteen, micro- and nanoseconds 16 and 19.
const SECONDS_LIMIT = 100_000_000_000;
const MILLISECONDS_LIMIT = 1_000 * SECONDS_LIMIT;

/** The extended and the basic form of ISO 8601, and what databases, archives and programs write in place of its T and Z. */
const ISO =
  /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[T ]?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)? ?(?:Z|UTC|GMT|([+-]\d{2})(?::?(\d{2}))?)?)?$/i;
/** The notations of mail, feeds and HTTP, and of the dates in certificates (OpenSSL). */
const OTHERS = [
  /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC?|Z|[ECMP][SD]T|[+-]\d{4})$/i,
  /^[a-z]{3} {1,2}\d{1,2} \d{2}:\d{2}:\d{2} \d{4} GMT$/i,
];

/**
 * An instant in milliseconds, from Unix seconds, milliseconds, micro- or nanoseconds or from a text. Only known notations are read:
 * Date.parse would take 'chapter 3' for a day in March, and a time without a zone for local time.
 */
export function readInstant(value: unknown): number | null {
  // First: '20261115' is a day, and as seconds it would be one of 1970.
  const parsed = typeof value === 'string' ? Date.parse(inUtc(value)) : Number.NaN;
  if (!Number.isNaN(parsed)) return parsed;
  const number = readNumber(value);
  return number === null ? null : inMilliseconds(number);
}

function inMilliseconds(number: number): number {
  if (number < SECONDS_LIMIT) return number * 1_000;
  if (number < MILLISECONDS_LIMIT) return number;
  return number < 1_000 * MILLISECONDS_LIMIT ? number / 1_000 : number / 1_000_000;
}

/** In the one form that Date.parse reads whatever the zone; empty for a notation that is not known. */
function inUtc(text: string): string {
  const parts = ISO.exec(text);
  if (parts === null) return OTHERS.some((way) => way.test(text)) ? text : '';
  const [, year, , month, day, hour, minute, second = '00', fraction = '0', zoneHours, zoneMinutes = '00'] =
    parts;
  if (hour === undefined) return `${year}-${month}-${day}`;
  const zone = zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${zone}`;
}
