import type { PaidCall } from '../known-answer/paid-call.ts';
import { FACTS_ONLY_AFTER_FAILURES } from '../limits.ts';

/**
 * Why a service is shown with facts alone, outside the ranking; null when it is ranked (gap G25). It follows from the
 * calls: the last three delivered nothing, and the next delivered one lifts it. An operator may pin it with a reason.
 */
export function factsOnlyReason(newestFirst: readonly PaidCall[], pinned: string | null): string | null {
  if (pinned !== null) return pinned;
  const last = newestFirst.filter(({ ourFault }) => !ourFault).slice(0, FACTS_ONLY_AFTER_FAILURES);
  const broken = last.length === FACTS_ONLY_AFTER_FAILURES && last.every(({ delivered }) => !delivered);
  return broken ? `the last ${FACTS_ONLY_AFTER_FAILURES} paid calls delivered nothing` : null;
}
