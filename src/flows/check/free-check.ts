import { type FreeQuota, quotaOf } from '../../core/access/admission.ts';
import type { Caller } from '../../core/access/caller-key.ts';
import { freeUse, type Metered } from '../../core/access/quota.ts';
import { secondsToNextUtcDay } from '../../core/access/utc-window.ts';
import type { QuotaPorts } from '../quota/reserve-use.ts';
import type { CheckRequest } from './check-request.ts';
import { type CountedCheckPorts, countedCheck } from './counted-check.ts';
import type { Decision } from './issue-receipt.ts';
import type { LookRefusal } from './look-at-endpoint.ts';
import { type Known, readKnown } from './read-known.ts';

export interface FreeCheckPorts extends CountedCheckPorts {
  readonly quota: QuotaPorts;
}

/** The free shape, of a free check or a dry run. */
export interface FreeCheck extends Decision {
  readonly kind: 'free';
  readonly quota: FreeQuota;
}

/** A live check on a free use; null when none is left today. */
export async function freeCheck(
  request: CheckRequest,
  caller: Caller,
  known: Known,
  ports: FreeCheckPorts,
): Promise<FreeCheck | LookRefusal | null> {
  const result = await countedCheck(request, useOf('spot_check', request, caller, ports), known, ports);
  if (result.kind === 'exhausted') return null;
  return result.kind === 'counted' ? freeShape('spot_check', result) : result;
}

/** Never an approval and never for sale (gap G09). A transport failure counts, too: the receipt is the answer. */
export async function dryRun(
  request: CheckRequest,
  caller: Caller,
  ports: FreeCheckPorts,
): Promise<FreeCheck | LookRefusal | DryRunsUsedUp> {
  const known = await readKnown(request, ports);
  const result = await countedCheck(request, useOf('dry_run', request, caller, ports), known, ports);
  if (result.kind === 'exhausted') {
    const retryAfterSeconds = secondsToNextUtcDay(ports.clock.now());
    return { kind: 'rate_limited', retryAfterSeconds, by: 'dry_runs' };
  }
  return result.kind === 'counted' ? freeShape('dry_run', result) : result;
}

export interface DryRunsUsedUp {
  readonly kind: 'rate_limited';
  readonly retryAfterSeconds: number;
  readonly by: 'dry_runs';
}

function useOf(metered: Metered, { ref }: CheckRequest, caller: Caller, { quota, clock }: FreeCheckPorts) {
  return freeUse({ metered, caller, ref, now: clock.now() }, quota);
}

function freeShape(
  metered: Metered,
  { decision, used }: { readonly decision: Decision; readonly used: number },
): FreeCheck {
  return { kind: 'free', quota: quotaOf(metered, used), ...decision };
}
