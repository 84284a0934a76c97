import type { MicroUsd } from '../money/micro-usd.ts';
import { order } from '../order.ts';

export type Quality = 'pass' | 'fail' | 'not_graded';

/** One call that we paid for: the only source of what a lookup says about a seller. */
export interface PaidCall {
  readonly calledAt: Date;
  /** The settlement transaction; null when nothing was settled. */
  readonly tx: string | null;
  readonly charged: MicroUsd | null;
  readonly payTo: string | null;
  readonly delivered: boolean;
  /** The call failed on our side, such as our network or wallet; it is never held against the seller. */
  readonly ourFault: boolean;
  readonly quality: Quality;
  readonly qualityReason: string;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
}

/** Newest first, then by transaction, then by all other members: only identical calls tie. */
export function newestFirst(calls: readonly PaidCall[]): PaidCall[] {
  return calls.toSorted(
    (left, right) =>
      order(right.calledAt.getTime(), left.calledAt.getTime()) ||
      order(right.tx ?? '', left.tx ?? '') ||
      order(inWords(right), inWords(left)),
  );
}

function inWords({ charged, payTo, delivered, ourFault, quality, ...rest }: PaidCall): string {
  const { qualityReason, httpStatus, latencyMs } = rest;
  return [charged, payTo, delivered, ourFault, quality, qualityReason, httpStatus, latencyMs].join('\n');
}
