import { countOf } from '../../core/lint/finding.ts';
import type { Report } from '../../core/lint/lint.ts';

export type FailOn = 'error' | 'warning' | 'never';
export type Format = 'text' | 'json' | 'sarif' | 'junit';

/** One lint, ready to be shown. */
export interface LintResult {
  /** The URL without likely secrets, or the name of the file. */
  readonly target: string;
  readonly isFile: boolean;
  readonly method: 'GET' | 'POST';
  /** Unpaid requests that were sent. */
  readonly requests: number;
  readonly report: Report;
  readonly failOn: FailOn;
}

/** Whether this level makes the command fail. */
export function isFailing(level: 'error' | 'warning' | 'note', failOn: FailOn): boolean {
  return (level === 'error' && failOn !== 'never') || (level === 'warning' && failOn === 'warning');
}

export function countsOf({ report: { findings } }: LintResult) {
  return {
    errors: countOf(findings, 'error'),
    warnings: countOf(findings, 'warning'),
    notes: countOf(findings, 'note'),
  };
}

/** '1 error, 2 warnings, 0 notes' */
export function countText(result: LintResult): string {
  return Object.entries(countsOf(result))
    .map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`)
    .join(', ');
}
