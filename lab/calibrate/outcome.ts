/** `aside` is a skip that says that the endpoint wants input first: listed, and not counted against it. */
export type Outcome = 'pay' | 'skip' | 'aside' | 'recheck';

/** In the order of the tables. */
export const OUTCOMES: readonly Outcome[] = ['pay', 'recheck', 'aside', 'skip'];

export interface Finding {
  readonly outcome: Outcome;
  readonly code: string;
  /** Who would be paid; null unless the outcome is `pay`. */
  readonly payTo: string | null;
}
