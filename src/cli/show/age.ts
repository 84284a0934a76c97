const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** '4 min ago'. A time slightly in the future counts as now. */
export function ago(then: Date, now: Date): string {
  return `${span(now.getTime() - then.getTime())} ago`;
}

export function inTime(then: Date, now: Date): string {
  return `in ${span(then.getTime() - now.getTime())}`;
}

/** '2026-11-15 12:01:00 UTC' */
export function clock(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const [size, name] = UNITS.find(([unit]) => seconds >= unit) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${name}`;
}
