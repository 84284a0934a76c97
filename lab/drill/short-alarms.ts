import { readAlertRules } from '../../tools/alert-rules.ts';

/** The same alarms for a day that lasts a few minutes: what has to hold for minutes holds for seconds. */
export interface ShortLimit {
  readonly alarm: string;
  /** As it is in the rule, such as `> 600`. */
  readonly from: string;
  readonly to: string;
}

export const SHORT_LIMITS: readonly ShortLimit[] = [
  { alarm: 'AssayPaidCallsOld', from: '> 129600', to: '> 20' },
  { alarm: 'AssayCrawlOld', from: '> 691200', to: '> 75' },
  { alarm: 'AssayLogWaiting', from: '> 60', to: '> 5' },
  { alarm: 'AssayLogUnpublished', from: '> 60', to: '> 5' },
  { alarm: 'AssayWitnessSilent', from: '<= bool 600', to: '<= bool 20' },
];

const HOLDS = '2s';
const RANGE = '[10s]';

/** Rules for Prometheus, as JSON, which is YAML, too. Throws when a limit is not there any more. */
export function shortAlarms(text: string): string {
  const rules = readAlertRules(text).map(({ name, expr, holds }) => ({
    alert: name,
    expr: shortened(name, expr),
    for: holds === '0s' ? holds : HOLDS,
  }));
  return JSON.stringify({ groups: [{ name: 'drill', interval: '1s', rules }] });
}

function shortened(name: string, expr: string): string {
  const short = expr.replaceAll(/\[[0-9]+m\]/g, RANGE);
  const limit = SHORT_LIMITS.find(({ alarm }) => alarm === name);
  if (limit === undefined) return short;
  if (!short.includes(limit.from)) throw new Error(`${name} has no limit ${limit.from} any more`);
  return short.replace(limit.from, limit.to);
}
