import { DIAGNOSTICS } from '../diagnose/diagnostic.ts';
import type { Check } from './check.ts';
import type { Finding, Source } from './finding.ts';
import { SURROUNDINGS_CHECKS } from './surroundings-checks.ts';
import { TERMS_CHECKS } from './terms-checks.ts';

const OWN = { ...TERMS_CHECKS, ...SURROUNDINGS_CHECKS };

export type OwnCheck = keyof typeof OWN;

/** Every check: those of the terms, and our own. */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...OWN,
  ...Object.fromEntries(
    Object.entries(DIAGNOSTICS).map(([code, explanation]): [string, Check] => [
      code,
      { ...explanation, needs: 'answer' },
    ]),
  ),
};

type Changes = Partial<Pick<Finding, 'level' | 'problem' | 'fix' | 'path'>>;

export function found(check: OwnCheck, source: Source, changes: Changes = {}): Finding {
  const { level, problem, fix } = OWN[check];
  return { check, level, problem, fix, path: null, source, ...changes };
}
