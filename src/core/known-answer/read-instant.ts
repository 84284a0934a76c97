import { readNumber } from './read-number.ts';

// Seconds since 1970 have ten digits for the next centuries, milliseconds have thirteen.
const SECONDS_LIMIT = 100_000_000_000;

const ISO =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?:Z|UTC|GMT|(?<hours>[+-]\d{2}):?(?<minutes>\d{2}))?)?$/i;
/** The notations of mail, feeds and HTTP, and of the dates in certificates (OpenSSL). */
const OTHERS = [
  /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|Z|[+-]\d{4})$/i,
  /^[a-z]{3} {1,2}\d{1,2} \d{2}:\d{2}:\d{2} \d{4} GMT$/i,
];

/**
 * An instant in milliseconds, from Unix seconds or milliseconds or from a text. Only known notations are read: Date.parse would
 * take 'chapter 3' for a day in March, and a time without a zone for local time.
 */
export function readInstant(value: unknown): number | null {
  const number = readNumber(value);
  if (number !== null) return number < SECONDS_LIMIT ? number * 1_000 : number;
  const parsed = typeof value === 'string' ? Date.parse(inUtc(value)) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

function inUtc(text: string): string {
  const { day, time, hours, minutes } = ISO.exec(text)?.groups ?? {};
  if (day !== undefined) {
    if (time === undefined) return day;
    // In the one form that Date.parse reads whatever the zone.
    return `${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
  }
  return OTHERS.some((way) => way.test(text)) ? text : '';
}
