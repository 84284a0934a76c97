import { trimBlanks } from '../trim-blanks.ts';

/** A seller that says it is giving calls away just now. */
export interface FreeTrial {
  /** Calls left, when the seller gives a plain number. */
  readonly remaining: number | null;
}

const REFUSALS: ReadonlySet<string> = new Set(['false', '0', 'no']);
const PLAIN_COUNT = /^[0-9]{1,9}$/;

/** The flag decides when it is there; otherwise the counter alone announces a trial (gap G41). */
export function readFreeTrial(headers: readonly (readonly [string, string])[]): FreeTrial | null {
  const flag = firstValue(headers, 'x-free-trial');
  const counter = firstValue(headers, 'x-free-trial-remaining');
  if (flag === undefined ? counter === undefined : REFUSALS.has(flag.toLowerCase())) return null;
  return { remaining: counter !== undefined && PLAIN_COUNT.test(counter) ? Number(counter) : null };
}

function firstValue(headers: readonly (readonly [string, string])[], wanted: string): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  return value === undefined ? undefined : trimBlanks(value);
}
