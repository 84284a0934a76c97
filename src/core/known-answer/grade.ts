import { unreachable } from '../unreachable.ts';
import { select } from './answer-path.ts';
import { type KnownAnswerTest, type Predicate, referenceIn } from './known-answer-test.ts';
import type { Quality } from './paid-call.ts';
import { readInstant } from './read-instant.ts';
import { isSameNumber, readNumber } from './read-number.ts';

export interface Grade {
  readonly quality: Quality;
  /** In our own words: names predicates and references, never the seller's text. */
  readonly reason: string;
}

type Scalar = string | number | boolean;

/** Values of the independent sources, by name; an unavailable source is missing. */
export type References = ReadonlyMap<string, Scalar>;

/** Passes when every predicate holds. A missing reference leaves the answer ungraded. */
export function grade(
  answer: unknown,
  test: KnownAnswerTest | null,
  references: References,
  now: Date,
): Grade {
  if (test === null) return notGraded('no known-answer test');
  const unusable = test.predicates.map((predicate) => flawOf(predicate, references)).find(isFound);
  if (unusable !== undefined) return notGraded(unusable);
  for (const [index, predicate] of test.predicates.entries()) {
    if (!holds(predicate, answer, { references, now })) {
      return {
        quality: 'fail',
        reason: `check ${index + 1} failed: ${predicate.kind} at ${predicate.path.text}`,
      };
    }
  }
  const { length } = test.predicates;
  return { quality: 'pass', reason: length === 1 ? 'the check passed' : `all ${length} checks passed` };
}

function notGraded(reason: string): Grade {
  return { quality: 'not_graded', reason };
}

function isFound(flaw: string | null): flaw is string {
  return flaw !== null;
}

/** Why a reference cannot be used, which is never the seller's fault; null when it can, or is not needed. */
function flawOf(predicate: Predicate, references: References): string | null {
  const name = referenceIn(predicate);
  if (name === null) return null;
  const said = references.get(name);
  if (said === undefined) return `reference ${name} was not available`;
  if (predicate.kind === 'number_near') {
    const number = readNumber(said);
    if (number === null) return `reference ${name} was not a number`;
    // Every answer has a zero somewhere, and a percentage of zero is no tolerance.
    if (number === 0 && predicate.tolerance_percent !== undefined) return `reference ${name} was zero`;
  }
  if (predicate.kind === 'time_near' && readInstant(said) === null) return `reference ${name} was not a time`;
  return null;
}

interface Circumstances {
  readonly references: References;
  readonly now: Date;
}

function holds(predicate: Predicate, answer: unknown, { references, now }: Circumstances): boolean {
  const found = select(predicate.path, answer);
  switch (predicate.kind) {
    case 'equals': {
      const wanted = wantedOf(predicate.to, references);
      return found.some((value) => isEqual(value, wanted, predicate.ignore_case));
    }
    case 'contains':
      return found.some((value) => isWithin(predicate.text, value, predicate.ignore_case));
    case 'on_host':
      return found.some((value) => typeof value === 'string' && isOnHost(value, predicate.host));
    case 'number_between':
      return isNonEmptyAnd(found, (value) => isBetween(readNumber(value), predicate.min, predicate.max));
    case 'number_near': {
      const wanted = readNumber(wantedOf(predicate.to, references));
      const { tolerance, tolerance_percent = 0 } = predicate;
      return found.some((value) =>
        isNear(readNumber(value), wanted, tolerance ?? (Math.abs(wanted ?? 0) * tolerance_percent) / 100),
      );
    }
    case 'time_near': {
      const wanted = readInstant(references.get(predicate.to.reference));
      return found.some((value) => isNear(readInstant(value), wanted, predicate.seconds * 1_000));
    }
    case 'not_older_than':
      return found.some((value) => isRecent(readInstant(value), predicate.seconds, now));
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

function wantedOf(
  to: { readonly value: Scalar } | { readonly reference: string },
  references: References,
): Scalar | undefined {
  return 'value' in to ? to.value : references.get(to.reference);
}

/** A path that selects one list means its items. */
function itemsOf(found: readonly unknown[]): readonly unknown[] {
  const [only] = found;
  return found.length === 1 && Array.isArray(only) ? only : found;
}

function isNonEmptyAnd(values: readonly unknown[], test: (value: unknown) => boolean): boolean {
  return values.length > 0 && values.every(test);
}

function isEqual(value: unknown, wanted: Scalar | undefined, ignoreCase: boolean): boolean {
  if (value === wanted || isSameNumber(value, wanted)) return true;
  if (!ignoreCase || typeof value !== 'string' || typeof wanted !== 'string') return false;
  return value.toLowerCase() === wanted.toLowerCase();
}

function isWithin(text: string, value: unknown, ignoreCase: boolean): boolean {
  if (typeof value !== 'string') return false;
  return ignoreCase ? value.toLowerCase().includes(text.toLowerCase()) : value.includes(text);
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== '';
}

function isBetween(value: number | null, min: number, max: number): boolean {
  return value !== null && value >= min && value <= max;
}

function isNear(value: number | null, wanted: number | null, tolerance: number): boolean {
  return wanted !== null && isBetween(value, wanted - tolerance, wanted + tolerance);
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

const CLOCK_SLACK_MS = 60_000;

/** A time in the future is no proof of freshness. */
function isRecent(instant: number | null, seconds: number, now: Date): boolean {
  return isBetween(instant, now.getTime() - seconds * 1_000, now.getTime() + CLOCK_SLACK_MS);
}

function isSorted(values: readonly unknown[], order: 'ascending' | 'descending'): boolean {
  const numbers = values.map(readNumber);
  // Times in different notations are compared as instants.
  const keys = numbers.includes(null) ? values.map(readInstant) : numbers;
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
