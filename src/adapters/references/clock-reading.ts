import type { Reference } from '../../core/known-answer/known-answer-test.ts';
import { unreachable } from '../../core/unreachable.ts';

type Way = Extract<Reference, { readonly kind: 'clock' }>['as'];

/** The current time in whole seconds: a fraction would be out of date on arrival. */
export function clockReading(way: Way, now: Date): string | number {
  const iso = now.toISOString();
  switch (way) {
    case 'unix_seconds':
      return Math.floor(now.getTime() / 1_000);
    case 'unix_milliseconds':
      return now.getTime();
    case 'iso':
      return `${iso.slice(0, 19)}Z`;
    case 'iso_date':
      return iso.slice(0, 10);
    default:
      return unreachable(way);
  }
}
