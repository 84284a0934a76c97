import { trimBlanks } from '../trim-blanks.ts';

/** A seller that says it is giving calls away just now. */
export interface FreeTrial {
  /** Calls left, when the seller gives a plain number. */
  readonly remaining: number | null;
}

const REFUSALS: ReadonlySet<string> = new Set(['false', '0', 'no']);
const PLAIN_COUNT = /^[0-9]{1,9}$/;

/** Announced by a flag that does not say no, or by a counter (gap G41). Counters that disagree leave the count open. */
export function readFreeTrial(headers: readonly (readonly [string, string])[]): FreeTrial | null {
  const flags = valuesOf(headers, 'x-free-trial');
  const [counter, ...others] = valuesOf(headers, 'x-free-trial-remaining');
  const flagged = flags.some((flag) => !REFUSALS.has(flag.toLowerCase()));
  if (counter === undefined) return flagged ? { remaining: null } : null;
  return { remaining: others.length === 0 && PLAIN_COUNT.test(counter) ? Number(counter) : null };
}

function valuesOf(headers: readonly (readonly [string, string])[], wanted: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => trimBlanks(value));
}
