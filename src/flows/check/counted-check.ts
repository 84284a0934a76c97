import type { Counter, FreeUse } from '../../core/access/quota.ts';
import { isUndecided } from '../../core/verdict/verdict.ts';
import type { CheckEnd, CheckWrites } from '../../ports/check-writes.ts';
import type { CheckRequest } from './check-request.ts';
import { type Decision, makeDecision, type ReceiptPorts } from './issue-receipt.ts';
import {
  type Blocked,
  type EndpointProbe,
  type Look,
  type LookPorts,
  type LookRefusal,
  lookAtStored,
  probeEndpoint,
} from './look-at-endpoint.ts';
import type { Known } from './read-known.ts';

export interface CountedCheckPorts extends LookPorts, ReceiptPorts {
  readonly checks: Pick<CheckWrites, 'record'>;
}

export type CountedCheck =
  /** `used` counts this use, unless it was given back. */
  | { readonly kind: 'counted'; readonly decision: Decision; readonly used: number }
  | { readonly kind: 'exhausted'; readonly used: number }
  | LookRefusal;

interface Conclusion extends CheckEnd {
  readonly decision: Decision | null;
}

/**
 * A check with its use and its receipt. Where a probe is reused, one commit counts the use and stores the receipt; otherwise one
 * commit before the new probe counts it, and one after it stores the receipt. Without a use nothing is counted (gap G05).
 */
export async function countedCheck(
  request: CheckRequest,
  use: FreeUse | null,
  known: Known,
  ports: CountedCheckPorts,
): Promise<CountedCheck> {
  const counters = use === null ? [] : use.counters;
  const refunds = use === null ? [] : [use.caller];
  const conclude = (look: Look | Blocked): Conclusion => conclusion(request, refunds, look, ports);
  const stored = lookAtStored(request, known, ports);
  const probe: EndpointProbe<Conclusion> =
    stored === null
      ? await probeEndpoint(request, known, { counters, refunds, conclude }, ports)
      : { kind: 'reused', look: stored };
  switch (probe.kind) {
    case 'rate_limited':
      return probe;
    case 'exhausted':
      return { kind: 'exhausted', used: probe.used[0] ?? 0 };
    case 'probed':
      return counted(probe.end, probe.used);
    case 'reused': {
      if (probe.look.kind === 'blocked') return probe.look;
      const end = conclude(probe.look);
      const { granted, used } = await ports.checks.record(counters, end);
      return granted ? counted(end, used) : { kind: 'exhausted', used: used[0] ?? 0 };
    }
  }
}

/** A blocked address leaves no receipt. It and a live check that could not tell give the caller's use back (gap G06). */
function conclusion(
  request: CheckRequest,
  refunds: readonly Counter[],
  look: Look | Blocked,
  ports: CountedCheckPorts,
): Conclusion {
  if (look.kind === 'blocked') return { decision: null, kept: null, givenBack: refunds };
  const decision = makeDecision(request, look, ports);
  const isGivenBack = request.mode === 'live' && isUndecided(look.verdict);
  const { receipt, statement } = decision;
  const kept = { receipt, statement, urlKey: ports.keyOf(request.target.normalized) };
  return { decision, kept, givenBack: isGivenBack ? refunds : [] };
}

function counted({ decision, givenBack }: Conclusion, [used = 0]: readonly number[]): CountedCheck {
  if (decision === null) return { kind: 'blocked' };
  return { kind: 'counted', decision, used: used - givenBack.length };
}
