import type { MicroUsd } from '../money/micro-usd.ts';
import type { CallResult } from './open-call.ts';
import type { PaidCall } from './paid-call.ts';

interface Finished {
  readonly calledAt: Date;
  readonly payTo: string;
  /** Null when the runner stopped before the answer. */
  readonly result: CallResult | null;
  readonly settlement: { readonly tx: string | null; readonly charged: MicroUsd | null };
}

/** A call that was paid, or at least signed. An answer that we lost is not held against the seller. */
export function finishedCall({ calledAt, payTo, result, settlement: { tx, charged } }: Finished): PaidCall {
  const { delivered, quality, qualityReason, httpStatus, latencyMs } = result ?? LOST;
  return {
    calledAt,
    tx,
    charged,
    payTo,
    delivered,
    ourFault: result === null,
    quality,
    qualityReason,
    httpStatus,
    latencyMs,
  };
}

const LOST = {
  delivered: false,
  quality: 'not_graded',
  qualityReason: 'the runner stopped before the answer came',
  httpStatus: null,
  latencyMs: null,
} as const;

/** A call for which nothing was signed: not held against the seller. */
export function unsignedCall(calledAt: Date): PaidCall {
  return {
    calledAt,
    tx: null,
    charged: null,
    payTo: null,
    ...LOST,
    ourFault: true,
    qualityReason: 'nothing was signed',
  };
}
