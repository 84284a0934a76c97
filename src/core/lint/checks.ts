import { DIAGNOSTICS } from '../diagnose/diagnostic.ts';
import type { Check, Need } from './check.ts';
import type { Finding, Source } from './finding.ts';
import { SURROUNDINGS_CHECKS } from './surroundings-checks.ts';
import { TERMS_CHECKS } from './terms-checks.ts';

const OWN = { ...TERMS_CHECKS, ...SURROUNDINGS_CHECKS };

export type OwnCheck = keyof typeof OWN;

/** Of what is said about terms: what can be said without having read them. */
const NEEDS: Readonly<Record<string, Need>> = {
  headers_too_large: 'answer',
  terms_without_402: 'answer',
  no_terms: 'paywall',
  header_repeated: 'paywall',
  header_empty: 'paywall',
  header_too_long: 'paywall',
  header_plain_json: 'paywall',
  header_not_base64: 'paywall',
  body_too_large: 'paywall',
};

/** Every check: those of the terms, and our own. */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...OWN,
  ...Object.fromEntries(
    Object.entries(DIAGNOSTICS).map(([code, explanation]): [string, Check] => [
      code,
      { ...explanation, needs: NEEDS[code] ?? 'terms' },
    ]),
  ),
};

type Changes = Partial<Pick<Finding, 'level' | 'problem' | 'fix' | 'path'>>;

export function found(check: OwnCheck, source: Source, changes: Changes = {}): Finding {
  const { level, problem, fix } = OWN[check];
  return { check, level, problem, fix, path: null, source, ...changes };
}
