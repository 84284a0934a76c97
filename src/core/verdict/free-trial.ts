import { type HeaderFields, headerValues } from '../header-values.ts';
import { trimBlanks } from '../trim-blanks.ts';

/** An announced free trial. */
export interface FreeTrial {
  /** Calls left, when the seller gives a plain number. */
  readonly remaining: number | null;
}

const REFUSALS: ReadonlySet<string> = new Set(['false', '0', 'no']);
const PLAIN_COUNT = /^[0-9]{1,9}$/;

/** Announced by a flag that is not false, or by a counter (gap G41). If counters disagree, the count is unknown. */
export function readFreeTrial(headers: HeaderFields): FreeTrial | null {
  const flags = headerValues(headers, 'x-free-trial').map(trimBlanks);
  const [counter, ...others] = headerValues(headers, 'x-free-trial-remaining').map(trimBlanks);
  const flagged = flags.some((flag) => !REFUSALS.has(flag.toLowerCase()));
  if (counter === undefined) return flagged ? { remaining: null } : null;
  return { remaining: others.length === 0 && PLAIN_COUNT.test(counter) ? Number(counter) : null };
}
