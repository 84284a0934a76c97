import type { LintResult } from '../../../src/cli/lint/lint-result.ts';
import { lint } from '../../../src/core/lint/lint.ts';
import type { Seen } from '../../../src/core/lint/seen.ts';
import { ENTRY } from '../../../tools/samples/challenge.ts';
import { NOTHING, PROBED_AT } from '../judging.ts';
import { GOOD, LINTED_URL, look, withHeader } from './good-endpoint.ts';

/** One error, one warning, one note. */
export const FAULTY: Partial<Seen> = {
  bare: withHeader({ accepts: [{ ...ENTRY, payTo: '' }] }),
  preflight: look(405),
  openapi: look(404),
  browser: null,
};

export function resultOf(changes: Partial<Seen>, more: Partial<LintResult> = {}): LintResult {
  const report = lint({ ...GOOD, ...changes }, { claim: NOTHING, seenAt: PROBED_AT, isLocal: false });
  return { target: LINTED_URL, isFile: false, method: 'GET', requests: 6, report, failOn: 'error', ...more };
}

export const HOSTILE_NAMES = [
  `a"b'c<d>&e]]>`,
  '../x y?z#%41:|é\u{1f600}',
  'line\nbreak\ttab\u0000null\u001b[31m\u202e',
  'half \ud800 pair',
  'C:\\x',
];
