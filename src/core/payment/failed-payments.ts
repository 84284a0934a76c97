import { addressKey } from '../access/caller-key.ts';
import type { Counter } from '../access/quota.ts';
import { utcHour } from '../access/utc-window.ts';
import { FAILED_PAYMENTS_PER_HOUR } from '../limits.ts';

/** Payments of one network that could not be verified, in an hour (gap L91). All of the counters are raised together. */
export function failedPayments(address: string, secret: string, now: Date): readonly Counter[] {
  const key = `failed_payments:${addressKey(address, secret)}`;
  return [{ key, window: utcHour(now), limit: FAILED_PAYMENTS_PER_HOUR }];
}
