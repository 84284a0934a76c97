import { addressKey, type Caller } from '../../core/access/caller-key.ts';
import { DRY_RUNS_PER_DAY } from '../../core/limits.ts';
import type { PaymentReading } from '../../core/x402/payment-payload.ts';
import { type SaleOutcome, type SellPorts, sell } from '../pay/sell.ts';
import type { CheckRequest } from './check-request.ts';
import { countedCheck } from './counted-check.ts';
import { type DryRunsUsedUp, dryRun, type FreeCheck, freeCheck } from './free-check.ts';
import type { Decision } from './issue-receipt.ts';
import { isBlocked, type Look, type LookRefusal } from './look-at-endpoint.ts';
import { type PaidCheckPorts, paidCheck, type RenderCheck, type UnsoldCheck } from './paid-check.ts';
import { readKnown } from './read-known.ts';

export interface SpotCheckPorts extends PaidCheckPorts {
  readonly payments: SellPorts;
}

/** Who asks, what was offered in payment, and how a paid answer is written. */
export interface CheckBuyer {
  readonly caller: Caller;
  readonly offered: PaymentReading;
  readonly render: RenderCheck;
}

export type SpotCheckResult = FreeCheck | DryRunsUsedUp | ExemptCheck | UnsoldCheck | SaleOutcome;

/** The operator's own check: the paid shape, neither counted nor charged (gap G05). */
export interface ExemptCheck extends Decision {
  readonly kind: 'exempt';
}

/** In the order of gap G31: gate, reserve, look, judge, then the receipt or the price. */
export async function spotCheck(
  request: CheckRequest,
  buyer: CheckBuyer,
  ports: SpotCheckPorts,
): Promise<SpotCheckResult> {
  if (isBlocked(request, ports)) return { kind: 'blocked' };
  if (request.selfTest) return selfTest(request, ports);
  const asked = { askedBy: addressKey(buyer.caller.address, ports.quota.secret), ...request };
  if (request.mode === 'dry-run') return dryRun(asked, buyer.caller, ports);
  return liveCheck(asked, buyer, ports);
}

async function selfTest(
  request: CheckRequest,
  ports: SpotCheckPorts,
): Promise<FreeCheck | ExemptCheck | LookRefusal> {
  const result = await countedCheck(request, null, await readKnown(request, ports), ports);
  if (result.kind === 'exhausted') throw new Error('a check that is not counted cannot be used up');
  if (result.kind !== 'counted') return result;
  // A dry run stays one with the key: the free shape, of which nothing is used up.
  return request.mode === 'dry-run'
    ? { kind: 'free', quota: UNUSED_DRY_RUNS, ...result.decision }
    : { kind: 'exempt', ...result.decision };
}

const UNUSED_DRY_RUNS = { perDay: DRY_RUNS_PER_DAY, used: 0, remaining: DRY_RUNS_PER_DAY };

async function liveCheck(
  request: CheckRequest,
  { caller, offered, render }: CheckBuyer,
  ports: SpotCheckPorts,
): Promise<FreeCheck | UnsoldCheck | SaleOutcome> {
  const known = await readKnown(request, ports);
  const free = () => freeCheck(request, caller, known, ports);
  const order = paidCheck(request, caller, known, render, ports);
  const buyer = { address: caller.address, offered };
  return sell<FreeCheck | UnsoldCheck, Look | null>({ free, ...order }, buyer, ports.payments);
}
