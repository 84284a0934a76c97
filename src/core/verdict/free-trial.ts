import { type HeaderFields, headerValues } from '../header-values.ts';
import { trimBlanks } from '../trim-blanks.ts';

/** A seller that says it is giving calls away just now. */
export interface FreeTrial {
  /** Calls left, when the seller gives a plain number. */
  readonly remaining: number | null;
}

const REFUSALS: ReadonlySet<string> = new Set(['false', '0', 'no']);
const PLAIN_COUNT = /^[0-9]{1,9}$/;

/** Announced by a flag that does not say no, or by a counter (gap G41). Counters that disagree leave the count open. */
export function readFreeTrial(headers: HeaderFields): FreeTrial | null {
  const flags = headerValues(headers, 'x-free-trial').map(trimBlanks);
  const [counter, ...others] = headerValues(headers, 'x-free-trial-remaining').map(trimBlanks);
  const flagged = flags.some((flag) => !REFUSALS.has(flag.toLowerCase()));
  if (counter === undefined) return flagged ? { remaining: null } : null;
  return { remaining: others.length === 0 && PLAIN_COUNT.test(counter) ? Number(counter) : null };
}
