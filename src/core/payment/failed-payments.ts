import { addressCounters, type Counter } from '../access/quota.ts';
import { utcHour } from '../access/utc-window.ts';
import { FAILED_PAYMENTS_PER_HOUR } from '../limits.ts';

/** Payments of one network that could not be verified, in an hour (gap L91). All of the counters are raised together. */
export function failedPayments(address: string, secret: string, now: Date): readonly Counter[] {
  const hourly = { window: utcHour(now), limit: FAILED_PAYMENTS_PER_HOUR };
  return addressCounters(address, 'failed_payments', hourly, secret);
}
