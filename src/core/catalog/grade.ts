import { unreachable } from '../unreachable.ts';
import type { AnswerPath, KnownAnswerTest, Predicate } from './known-answer-test.ts';
import type { Quality } from './paid-call.ts';

export interface Grade {
  readonly quality: Quality;
  /** In our words: names predicates and references, never what the seller wrote. */
  readonly reason: string;
}

/** What the independent sources said, by name; a source that could not be asked is missing. */
export type References = ReadonlyMap<string, string | number | boolean>;

/** Passes when every predicate holds. A reference that is missing leaves the answer ungraded: silence proves nothing. */
export function grade(
  answer: unknown,
  test: KnownAnswerTest | null,
  references: References,
  now: Date,
): Grade {
  if (test === null) return { quality: 'not_graded', reason: 'no known-answer test' };
  const missing = test.predicates.map(referenceOf).find((name) => name !== null && !references.has(name));
  if (missing !== undefined)
    return { quality: 'not_graded', reason: `reference ${missing} was not available` };
  for (const [index, predicate] of test.predicates.entries()) {
    if (!holds(predicate, answer, { references, now })) {
      return {
        quality: 'fail',
        reason: `check ${index + 1} failed: ${predicate.kind} at ${predicate.path.text}`,
      };
    }
  }
  return { quality: 'pass', reason: `all ${test.predicates.length} checks passed` };
}

interface Circumstances {
  readonly references: References;
  readonly now: Date;
}

function holds(predicate: Predicate, answer: unknown, { references, now }: Circumstances): boolean {
  const found = select(predicate.path, answer);
  switch (predicate.kind) {
    case 'equals': {
      const wanted = 'value' in predicate.to ? predicate.to.value : references.get(predicate.to.reference);
      return found.some((value) => isEqual(value, wanted));
    }
    case 'contains':
      return found.some((value) => typeof value === 'string' && value.includes(predicate.text));
    case 'on_host':
      return found.some((value) => typeof value === 'string' && isOnHost(value, predicate.host));
    case 'number_between':
      return isNonEmptyAnd(found, (value) => isBetween(numberOf(value), predicate.min, predicate.max));
    case 'number_near': {
      const wanted = numberOf(
        'value' in predicate.to ? predicate.to.value : references.get(predicate.to.reference),
      );
      const { tolerance } = predicate;
      return (
        wanted !== null &&
        found.some((value) => isBetween(numberOf(value), wanted - tolerance, wanted + tolerance))
      );
    }
    case 'not_older_than':
      return found.some((value) => isRecent(instantOf(value), predicate.seconds, now));
    case 'sorted_by':
      return isSorted(
        itemsOf(found).map((item) => select(predicate.by, item)[0]),
        predicate.order,
      );
    case 'at_least':
      return itemsOf(found).length >= predicate.items;
    case 'every_item_has':
      return isNonEmptyAnd(itemsOf(found), (item) => select(predicate.has, item).some(isPresent));
    default:
      return unreachable(predicate);
  }
}

/** A path into a stranger's document may meet more depth than it bears; then it selects nothing. */
function select({ query }: AnswerPath, document: unknown): readonly unknown[] {
  try {
    // A parsed JSON document is what the library means by JSONValue; it only declares it more narrowly than unknown.
    return query.query(document as Parameters<typeof query.query>[0]).values();
  } catch {
    return [];
  }
}

function referenceOf(predicate: Predicate): string | null {
  return 'to' in predicate && 'reference' in predicate.to ? predicate.to.reference : null;
}

/** A path that selects one list means its items. */
function itemsOf(found: readonly unknown[]): readonly unknown[] {
  const [only] = found;
  return found.length === 1 && Array.isArray(only) ? only : found;
}

function isNonEmptyAnd(values: readonly unknown[], test: (value: unknown) => boolean): boolean {
  return values.length > 0 && values.every(test);
}

/** '42.0' and 42 are one answer, because sellers differ in how they write numbers; every digit of a long one counts. */
function isEqual(value: unknown, wanted: string | number | boolean | undefined): boolean {
  if (value === wanted) return true;
  // Beyond 2^53 the parser has already rounded the seller's number, so the reference is rounded in the same way.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return value === numberOf(wanted);
  const digits = digitsOf(value);
  return digits !== null && digits === digitsOf(wanted);
}

function digitsOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return null;
  const [whole = '', fraction = ''] = text.split('.');
  const decimals = fraction.replace(/0+$/, '');
  return `${whole.replace(/^(-?)0+(?=[0-9])/, '$1')}${decimals === '' ? '' : `.${decimals}`}`;
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== '';
}

const DECIMAL = /^-?[0-9]{1,40}(?:\.[0-9]{1,40})?$/;

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null;
}

function isBetween(value: number | null, min: number, max: number): boolean {
  return value !== null && value >= min && value <= max;
}

function isOnHost(text: string, host: string): boolean {
  if (text.length > 2_048) return false;
  try {
    const { protocol, hostname } = new URL(text);
    if (protocol !== 'https:' && protocol !== 'http:') return false;
    return hostname === host || hostname.endsWith(`.${host}`);
  } catch {
    return false;
  }
}

// Seconds since 1970 have ten digits for the next centuries, milliseconds have thirteen.
const SECONDS_LIMIT = 100_000_000_000;
const CLOCK_SLACK_MS = 60_000;

function instantOf(value: unknown): number | null {
  const number = numberOf(value);
  if (number !== null) return number < SECONDS_LIMIT ? number * 1_000 : number;
  const parsed = typeof value === 'string' && value.length <= 64 ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

/** A time in the future is no proof of freshness. */
function isRecent(instant: number | null, seconds: number, now: Date): boolean {
  return isBetween(instant, now.getTime() - seconds * 1_000, now.getTime() + CLOCK_SLACK_MS);
}

function isSorted(values: readonly unknown[], order: 'ascending' | 'descending'): boolean {
  const keys = values.map((value) => numberOf(value) ?? instantOf(value));
  return (
    isNonEmptyAnd(keys, (key) => key !== null) &&
    keys.every((key, index) => isInOrder(keys[index - 1], key, order))
  );
}

function isInOrder(
  before: number | null | undefined,
  after: number | null,
  order: 'ascending' | 'descending',
): boolean {
  if (before === undefined || before === null || after === null) return true;
  return order === 'ascending' ? before <= after : before >= after;
}
