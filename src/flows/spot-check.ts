import type { FreeQuota } from '../core/access/admission.ts';
import { addressKey, type Caller } from '../core/access/caller-key.ts';
import type { Counter } from '../core/access/quota.ts';
import { utcHour } from '../core/access/utc-window.ts';
import { DRY_RUNS_PER_DAY } from '../core/limits.ts';
import type { MicroUsd } from '../core/money/micro-usd.ts';
import { spotCheckPrice } from '../core/money/spot-check-price.ts';
import { type LiveReceipt, liveReceipt } from '../core/receipt/live-receipt.ts';
import { LIVE_ID_BYTES, liveReceiptId } from '../core/receipt/receipt-id.ts';
import { isTransportRecheck } from '../core/verdict/verdict.ts';
import { quotedPrice } from '../core/x402/terms.ts';
import type { LiveReceiptStore } from '../ports/live-receipts.ts';
import type { Admit, Admitted } from './admit.ts';
import {
  type CheckRequest,
  isBlocked,
  type Look,
  type LookParts,
  lookAtEndpoint,
} from './look-at-endpoint.ts';

export interface SpotCheckParts extends LookParts {
  readonly admit: Admit;
  readonly receipts: LiveReceiptStore;
  readonly entropy: (bytes: number) => Uint8Array;
  readonly secret: string;
  readonly pricedProbesPerHour: number;
}

/** A decision and the receipt that holds it for everybody. */
export interface Decision {
  readonly look: Look;
  readonly receipt: LiveReceipt;
}

export type SpotCheckResult =
  | ({ readonly kind: 'free'; readonly quota: FreeQuota } & Decision)
  | ({ readonly kind: 'exempt' } & Decision)
  | { readonly kind: 'payment_required'; readonly price: MicroUsd; readonly quota: FreeQuota }
  /** Nothing was fetched, metered or stored. */
  | { readonly kind: 'blocked' }
  | {
      readonly kind: 'rate_limited';
      readonly retryAfterSeconds: number;
      readonly by: 'dry_runs' | 'target' | 'quotes';
    };

/** In the order of gap G31: gate, reserve, look, then the answer with its receipt or the price of it. */
export async function spotCheck(
  request: CheckRequest,
  caller: Caller,
  parts: SpotCheckParts,
): Promise<SpotCheckResult> {
  if (isBlocked(request, parts)) return { kind: 'blocked' };
  const { mode, ref, selfTest } = request;
  const metered = mode === 'dry-run' ? 'dry_run' : 'spot_check';
  const admitted = await parts.admit({ metered, caller, ref, selfTest });
  if (admitted.admission.kind === 'rate_limited') {
    return { kind: 'rate_limited', retryAfterSeconds: admitted.admission.retryAfterSeconds, by: 'dry_runs' };
  }
  try {
    return await answer(request, caller, admitted, parts);
  } catch (fault) {
    await giveBackQuietly(admitted);
    throw fault;
  }
}

async function answer(
  request: CheckRequest,
  caller: Caller,
  { admission, giveBack }: Admitted,
  parts: SpotCheckParts,
): Promise<SpotCheckResult> {
  const unpaid = admission.kind === 'payment_required';
  const look = await lookAtEndpoint(request, parts, unpaid ? quoteBudget(caller, parts) : null);
  if (look.kind !== 'looked') {
    await giveBack();
    return look.kind === 'blocked' ? look : { ...look, by: look.by === 'caller' ? 'quotes' : 'target' };
  }
  if (admission.kind === 'payment_required') {
    const quoted = look.offer === null ? null : quotedPrice(look.offer);
    return { kind: 'payment_required', price: spotCheckPrice(quoted), quota: admission.quota };
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

async function decide(request: CheckRequest, look: Look, parts: SpotCheckParts): Promise<Decision> {
  return { look, receipt: await keepReceipt(request, look, parts) };
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

/** Stored before its id is given out (gap G55). */
async function keepReceipt(
  request: CheckRequest,
  look: Look,
  { receipts, entropy, keyOf, now }: SpotCheckParts,
): Promise<LiveReceipt> {
  const id = liveReceiptId(entropy(LIVE_ID_BYTES));
  const receipt = liveReceipt({ ...request, ...look, id, checkedAt: now() });
  await receipts.add(receipt, keyOf(request.target.normalized));
  return receipt;
}

/** Looks that end in a price are free of charge, so an address gets only so many new ones in an hour. */
function quoteBudget({ address }: Caller, { secret, now, pricedProbesPerHour }: SpotCheckParts): Counter {
  return { key: `quotes:${addressKey(address, secret)}`, window: utcHour(now()), limit: pricedProbesPerHour };
}

/** The fault that brought us here matters more than a counter that could not be lowered. */
async function giveBackQuietly({ giveBack }: Admitted): Promise<void> {
  await giveBack().catch(() => {});
}
