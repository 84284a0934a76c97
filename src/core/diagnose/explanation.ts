/** What a diagnostic means, in our own words: nothing of a seller's text is part of it (gap G49). */
export interface Explanation {
  /** An error is a reason not to pay; a warning is what some clients do not understand. */
  readonly level: 'error' | 'warning';
  readonly problem: string;
  readonly fix: string;
}

export function error(problem: string, fix: string): Explanation {
  return { level: 'error', problem, fix };
}

export function warning(problem: string, fix: string): Explanation {
  return { level: 'warning', problem, fix };
}
