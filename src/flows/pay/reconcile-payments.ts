import { CLOCKS_APART_MS } from '../../core/limits.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { type Payment, readKeptPayment } from '../../core/x402/payment-payload.ts';
import { isLongExpired } from '../../core/x402/payment-refusal.ts';
import type { AuthorizationLog, Facilitator } from '../../ports/facilitator.ts';
import type { OpenSettlement, PaymentLedger, UnreadableSettlement } from '../../ports/payment-ledger.ts';
import { type FinishAnswer, paidBy } from './settle-payment.ts';

export interface ReconcileParts {
  readonly ledger: Pick<PaymentLedger, 'open' | 'settle' | 'reject' | 'leaveOpen'>;
  readonly facilitator: Pick<Facilitator, 'settle'>;
  readonly authorizationLog: AuthorizationLog;
  readonly finish: FinishAnswer;
  readonly now: () => Date;
  readonly onFault: (fault: unknown) => void;
  /** Told of every row that cannot be read, in every round. */
  readonly onUnreadable: (found: Pick<OpenSettlement, 'key' | 'since'>) => void;
  /** Asked between a few of them and the next: a process that is to end must not wait for all. */
  readonly isStopped?: () => boolean;
}

export interface Reconciled {
  readonly settled: number;
  readonly rejected: number;
  readonly open: number;
}

/** Settlements looked at in one round, and how many of them at the same time. */
const ROUND_MAX = 2_000;
const STEP = 100;
const AT_ONCE = 4;
/** The last moment that a date can name. */
const EVER = new Date(8.64e15);

/**
 * Finds out what became of settlements without an outcome (gap G64): the facilitator is asked again, which cannot move the
 * money twice, then the chain. `graceMs` is left to those who are still at work on one.
 */
export async function reconcilePayments(parts: ReconcileParts, graceMs: number): Promise<Reconciled> {
  const now = parts.now();
  const counts = { settled: 0, rejected: 0, open: 0 };
  let seen = 0;
  // All of them, not only the oldest: those that nobody can decide must not keep the others waiting.
  const isStopped = parts.isStopped ?? (() => false);
  for (let last: OpenSettlement | UnreadableSettlement | undefined; seen < ROUND_MAX && !isStopped(); ) {
    const found = await parts.ledger.open(EVER, STEP, last);
    last = found.at(-1);
    if (last === undefined) break;
    seen += found.length;
    const left = found.filter((one) => isLeftAlone(one, now, graceMs));
    counts.open += found.length - left.length;
    for (let start = 0; start < left.length && !isStopped(); start += AT_ONCE) {
      const outcomes = await Promise.all(left.slice(start, start + AT_ONCE).map((one) => decide(one, parts)));
      for (const outcome of outcomes) counts[outcome] += 1;
    }
  }
  return counts;
}

/** One from far ahead was written by a clock that was wrong: nobody is at work on it until then. */
function isLeftAlone(
  { state, since }: OpenSettlement | UnreadableSettlement,
  now: Date,
  graceMs: number,
): boolean {
  const ageMs = now.getTime() - since.getTime();
  return state !== 'settling' || ageMs >= graceMs || ageMs < -CLOCKS_APART_MS;
}

/** One that fails must not keep the others from being looked at. */
async function decide(
  open: OpenSettlement | UnreadableSettlement,
  parts: ReconcileParts,
): Promise<keyof Reconciled> {
  const payment = open.state === 'unreadable' ? null : readKeptPayment(open.payment);
  if (open.state === 'unreadable' || payment === null) {
    parts.onUnreadable(open);
    return 'open';
  }
  try {
    return await decideOn(open, payment, parts);
  } catch (fault) {
    parts.onFault(fault);
    return 'open';
  }
}

async function decideOn(
  open: OpenSettlement,
  payment: Payment,
  { ledger, facilitator, authorizationLog, finish, now }: ReconcileParts,
): Promise<keyof Reconciled> {
  const outcome = await outcomeOf(payment, facilitator, authorizationLog);
  if (outcome.kind === 'settled') {
    await ledger.settle(open, finish(open.prepared, paidBy(payment, outcome.tx)), outcome.tx, now());
    return 'settled';
  }
  if (outcome.kind === 'never') return (await ledger.reject(open, now())) ? 'rejected' : 'open';
  await ledger.leaveOpen(open, now());
  return 'open';
}

type Outcome =
  | { readonly kind: 'settled'; readonly tx: string }
  /** It has not paid and never will. */
  | { readonly kind: 'never' }
  | { readonly kind: 'unknown' };

/** A refusal now says nothing about a transaction that was sent earlier; only the chain can rule that out. */
async function outcomeOf(
  payment: Payment,
  facilitator: ReconcileParts['facilitator'],
  authorizationLog: AuthorizationLog,
): Promise<Outcome> {
  const { authorization } = payment;
  const charge = { amount: microUsd(authorization.value), payTo: authorization.to };
  const settlement = await facilitator.settle(payment, charge);
  if (settlement.kind === 'settled') return { kind: 'settled', tx: settlement.tx };
  const use = await authorizationLog.useOf(authorization);
  switch (use.kind) {
    case 'used':
      return { kind: 'settled', tx: use.tx };
    case 'void':
      return { kind: 'never' };
    case 'unused':
      return isLongExpired(authorization, use.asOf) ? { kind: 'never' } : { kind: 'unknown' };
    case 'unavailable':
      return { kind: 'unknown' };
  }
}
