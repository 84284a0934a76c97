import type { FreeQuota } from '../../core/access/admission.ts';
import { secondsToNextUtcDay } from '../../core/access/utc-window.ts';
import type { Headers } from './answer.ts';

const DAY_SECONDS = 86_400;

type Policy = 'free-lookups' | 'free-checks' | 'dry-runs';

/** The rest of the daily quota (gap G85), on answers that must not be cached (gap G82). */
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

/** The daily quota without the rest. */
export function policyHeaders(policy: Policy, perDay: number): Headers {
  return { 'cache-control': 'no-store', 'ratelimit-policy': policyText(policy, perDay) };
}

function policyText(policy: Policy, perDay: number): string {
  return `"${policy}";q=${perDay};w=${DAY_SECONDS}`;
}

/** A refusal says that nothing is left, even if the limit was that of the address (gap G02). */
export function usedUpHeaders(policy: Policy, perDay: number, now: Date): Headers {
  return rateHeaders(policy, { perDay, remaining: 0 }, now);
}
