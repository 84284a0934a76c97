import type { FreeQuota } from '../../core/access/admission.ts';
import { secondsToNextUtcDay } from '../../core/access/utc-window.ts';
import type { Headers } from './answer.ts';

const DAY_SECONDS = 86_400;

type Policy = 'free-lookups' | 'free-checks' | 'dry-runs';

/** How much of a day's free share is left (gap G85), on answers that no cache may keep (gap G82). */
export function rateHeaders(
  policy: Policy,
  { perDay, remaining }: Pick<FreeQuota, 'perDay' | 'remaining'>,
  now: Date,
): Headers {
  return {
    'cache-control': 'no-store',
    'ratelimit-policy': policyText(policy, perDay),
    ratelimit: `"${policy}";r=${remaining};t=${secondsToNextUtcDay(now)}`,
  };
}

/** What there is in a day, without saying how much of it is left. */
export function policyHeaders(policy: Policy, perDay: number): Headers {
  return { 'cache-control': 'no-store', 'ratelimit-policy': policyText(policy, perDay) };
}

function policyText(policy: Policy, perDay: number): string {
  return `"${policy}";q=${perDay};w=${DAY_SECONDS}`;
}

/** With a refusal nothing is left, also where it was the address and not the caller that had its share (gap G02). */
export function usedUpHeaders(policy: Policy, perDay: number, now: Date): Headers {
  return rateHeaders(policy, { perDay, remaining: 0 }, now);
}
