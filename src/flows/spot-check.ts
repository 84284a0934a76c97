import type { FreeQuota } from '../core/access/admission.ts';
import type { Caller } from '../core/access/caller-key.ts';
import { DRY_RUNS_PER_DAY, FREE_SPOT_CHECKS_PER_DAY } from '../core/limits.ts';
import type { MicroUsd } from '../core/money/micro-usd.ts';
import { isTransportRecheck } from '../core/verdict/verdict.ts';
import type { Admit, Admitted } from './admit.ts';
import {
  type BuyParts,
  buySpotCheck,
  type CheckPurchase,
  checkBoughtBefore,
  lookForPrice,
  type Unsold,
} from './buy-spot-check.ts';
import type { Charged } from './charge.ts';
import { type Decision, decide } from './decide.ts';
import {
  type CheckRequest,
  findKnown,
  isBlocked,
  type LookOptions,
  lookAtEndpoint,
} from './look-at-endpoint.ts';

export interface SpotCheckParts extends BuyParts {
  readonly admit: Admit;
}

export type SpotCheckResult =
  | ({ readonly kind: 'free'; readonly quota: FreeQuota } & Decision)
  | ({ readonly kind: 'exempt' } & Decision)
  | { readonly kind: 'payment_required'; readonly price: MicroUsd; readonly quota: FreeQuota }
  /** A payment was offered, and this is what became of it. */
  | { readonly kind: 'charged'; readonly charged: Charged<Unsold>; readonly quota: FreeQuota }
  /** Nothing is free any more, and what was offered cannot buy anything. */
  | { readonly kind: 'unsellable' }
  /** Nothing was fetched, metered or stored. */
  | { readonly kind: 'blocked' }
  | {
      readonly kind: 'rate_limited';
      readonly retryAfterSeconds: number;
      readonly by: 'dry_runs' | 'target' | 'quotes';
    };

/**
 * In the order of gap G31: gate, reserve, look, then the answer with its receipt or the price of it. A purchase counts only
 * when there is no free use left (gap G07).
 */
export async function spotCheck(
  request: CheckRequest,
  caller: Caller,
  purchase: CheckPurchase | 'impossible' | null,
  parts: SpotCheckParts,
): Promise<SpotCheckResult> {
  if (isBlocked(request, parts)) return { kind: 'blocked' };
  const { mode, ref, selfTest } = request;
  if (mode === 'live' && !selfTest && purchase !== null && purchase !== 'impossible') {
    // Also when something is free again: whoever has paid gets what was paid for (gap G63).
    const charged = await checkBoughtBefore(request, purchase, parts);
    if (charged !== null) return { kind: 'charged', charged, quota: USED_UP };
  }
  const metered = mode === 'dry-run' ? 'dry_run' : 'spot_check';
  // For whoever pays nothing the store is asked while the use is reserved. A purchase looks for itself, when its price is asked for.
  const options = purchase === null ? { known: findKnown(request, parts) } : {};
  const admitted = await parts.admit({ metered, caller, ref, selfTest });
  const { admission } = admitted;
  if (admission.kind === 'rate_limited') {
    return { kind: 'rate_limited', retryAfterSeconds: admission.retryAfterSeconds, by: 'dry_runs' };
  }
  if (admission.kind !== 'payment_required') return answerOrGiveBack(request, admitted, options, parts);
  const { quota } = admission;
  // Nothing is probed for a price that cannot be paid.
  if (purchase === 'impossible') return { kind: 'unsellable' };
  if (purchase !== null) {
    return { kind: 'charged', charged: await buySpotCheck(request, caller, purchase, parts), quota };
  }
  const priced = await lookForPrice(request, caller, parts, options);
  return priced.kind === 'looked' ? { kind: 'payment_required', price: priced.price, quota } : priced;
}

const USED_UP: FreeQuota = {
  perDay: FREE_SPOT_CHECKS_PER_DAY,
  used: FREE_SPOT_CHECKS_PER_DAY,
  remaining: 0,
};

async function answerOrGiveBack(
  request: CheckRequest,
  admitted: Admitted,
  options: LookOptions,
  parts: SpotCheckParts,
): Promise<SpotCheckResult> {
  try {
    return await answer(request, admitted, options, parts);
  } catch (fault) {
    // The fault that brought us here matters more than a counter that could not be lowered.
    await admitted.giveBack().catch(() => {});
    throw fault;
  }
}

async function answer(
  request: CheckRequest,
  { admission, giveBack }: Admitted,
  options: LookOptions,
  parts: SpotCheckParts,
): Promise<SpotCheckResult> {
  const look = await lookAtEndpoint(request, parts, options);
  if (look.kind !== 'looked') {
    await giveBack();
    return look.kind === 'blocked' ? look : { ...look, by: 'target' };
  }
  if (admission.kind !== 'free') return exempt(request, await decide(request, look, parts));
  if (request.mode === 'dry-run' || !isTransportRecheck(look.verdict)) {
    return { kind: 'free', quota: admission.quota, ...(await decide(request, look, parts)) };
  }
  // Before the receipt: a call that fails here must leave none behind (gap G55).
  await giveBack();
  const { perDay, used, remaining } = admission.quota;
  const quota = { perDay, used: used - 1, remaining: remaining + 1 };
  return { kind: 'free', quota, ...(await decide(request, look, parts)) };
}

/** A dry run stays one with the self-test key: the free shape, of which nothing is ever used up (gap G05). */
function exempt({ mode }: CheckRequest, decision: Decision): SpotCheckResult {
  if (mode === 'live') return { kind: 'exempt', ...decision };
  return {
    kind: 'free',
    quota: { perDay: DRY_RUNS_PER_DAY, used: 0, remaining: DRY_RUNS_PER_DAY },
    ...decision,
  };
}
