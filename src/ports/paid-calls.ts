import type { EndpointCheck } from '../core/catalog/endpoint-check.ts';
import type { PaidCall } from '../core/known-answer/paid-call.ts';
import type { MicroUsd } from '../core/money/micro-usd.ts';

/** Facts for lookups, by service id. */
export interface ServiceFactsReader {
  /** The last finished calls of each of these services, newest first; a service without any is missing. */
  callsOf(serviceIds: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly PaidCall[]>>;
  /** The last unpaid check of each of these services; one that was never checked is missing. */
  checksOf(serviceIds: readonly string[]): Promise<ReadonlyMap<string, EndpointCheck>>;
}

/** A call that is about to be paid for. */
export interface BegunCall {
  readonly id: string;
  readonly serviceId: string;
  readonly calledAt: Date;
  readonly amount: MicroUsd;
  readonly payTo: string;
}

/** A call without a recorded end. */
export interface UnfinishedCall extends BegunCall {
  /** The last note; null when nothing was signed yet. */
  readonly note: string | null;
}

/** No call starts above these; unfinished calls count in full. */
export interface SpendingCaps {
  readonly perDay: MicroUsd;
  readonly total: MicroUsd;
}

export interface Spent {
  readonly day: MicroUsd;
  readonly total: MicroUsd;
}

/** The delivered body, kept for disputes. */
export interface CallEvidence {
  readonly bodySha256: string | null;
  /** Truncated to a limit. */
  readonly body: string | null;
}

/** What the known-answer runner writes. A call is stored before its money moves and again after. */
export interface PaidCallStore extends ServiceFactsReader {
  /** Counts the amount against the UTC day and the total in one atomic step, over all processes. */
  begin(call: BegunCall, caps: SpendingCaps): Promise<'begun' | 'day_cap' | 'total_cap'>;
  /** Records the progress of a call, above all the signed payment before it is sent: after a crash nothing else is left. */
  note(id: string, note: string): Promise<void>;
  /** Completes a call, once. A call that moved no money no longer counts. */
  finish(id: string, call: PaidCall, evidence: CallEvidence): Promise<void>;
  /** Begun before this moment and never finished, oldest first. */
  unfinished(before: Date, limit: number): Promise<readonly UnfinishedCall[]>;
  spent(now: Date): Promise<Spent>;
  /** Keeps the newer of what is there and this one; what a wrong clock has dated ahead is not newer (gap L76). */
  keepCheck(serviceId: string, check: EndpointCheck): Promise<void>;
}
