import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { type Payment, readKeptPayment } from '../../core/x402/payment-payload.ts';
import { isLongExpired } from '../../core/x402/payment-refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AuthorizationLog, Facilitator } from '../../ports/facilitator.ts';
import type { OpenSettlement, PaymentLedger, UnreadableSettlement } from '../../ports/payment-ledger.ts';
import { type FinishAnswer, paidBy } from './settle-payment.ts';

export interface ReconcilePorts {
  readonly ledger: Pick<PaymentLedger, 'open' | 'settle' | 'reject' | 'leaveOpen' | 'takeSend' | 'endSends'>;
  readonly facilitator: Pick<Facilitator, 'settle'>;
  readonly authorizationLog: AuthorizationLog;
  readonly finish: FinishAnswer;
  readonly clock: Pick<Clock, 'now'>;
  readonly onFault: (fault: unknown) => void;
  /** Called for every row that cannot be read, in every round. */
  readonly onUnreadable: (found: Pick<OpenSettlement, 'key' | 'since'>) => void;
  /** Asked between batches, so that a stopping process does not finish the round. */
  readonly isStopped?: () => boolean;
}

export interface Reconciled {
  readonly settled: number;
  readonly rejected: number;
  readonly open: number;
}

/** Settlements of one page, and at the same time. */
const PAGE = 100;
const AT_ONCE = 4;
/** The latest possible date. */
const EVER = new Date(8.64e15);

/**
 * Decides settlements without an outcome (gap G64): asks the facilitator again, which cannot move the money twice, then the
 * chain. Younger than `graceMs`, a settlement is left to the request that works on it.
 */
export async function reconcilePayments(ports: ReconcilePorts, graceMs: number): Promise<Reconciled> {
  const now = ports.clock.now();
  const counts = { settled: 0, rejected: 0, open: 0 };
  const isStopped = ports.isStopped ?? (() => false);
  // Page after page from the oldest on, to the last one: no number of undecidable ones keeps those behind them from being asked.
  for (let last: OpenSettlement | UnreadableSettlement | undefined; !isStopped(); ) {
    const found = await ports.ledger.open(EVER, PAGE, last);
    last = found.at(-1);
    if (last === undefined) break;
    const abandoned = found.filter((one) => isAbandoned(one, now, graceMs));
    counts.open += found.length - abandoned.length;
    for (let start = 0; start < abandoned.length && !isStopped(); start += AT_ONCE) {
      const outcomes = await Promise.all(
        abandoned.slice(start, start + AT_ONCE).map((one) => reconcile(one, ports)),
      );
      for (const outcome of outcomes) counts[outcome] += 1;
    }
  }
  return counts;
}

/** Nobody works on one that a wrong clock has dated ahead. */
function isAbandoned(
  { state, since }: OpenSettlement | UnreadableSettlement,
  now: Date,
  graceMs: number,
): boolean {
  const ageMs = now.getTime() - since.getTime();
  return state !== 'settling' || ageMs >= graceMs || isDatedAhead(since.getTime(), now);
}

/** A fault in one must not stop the others. */
async function reconcile(
  open: OpenSettlement | UnreadableSettlement,
  ports: ReconcilePorts,
): Promise<keyof Reconciled> {
  const payment = open.state === 'unreadable' ? null : readKeptPayment(open.payment);
  if (open.state === 'unreadable' || payment === null) {
    ports.onUnreadable(open);
    return 'open';
  }
  try {
    return await settleOrReject(open, payment, ports);
  } catch (fault) {
    ports.onFault(fault);
    return 'open';
  }
}

async function settleOrReject(
  open: OpenSettlement,
  payment: Payment,
  ports: ReconcilePorts,
): Promise<keyof Reconciled> {
  const { ledger, finish, clock } = ports;
  // First: the request that made it may live in another process, and must not refuse what we are about to have settled.
  if (open.state === 'settling' && !(await ledger.leaveOpen(open, clock.now()))) return 'open';
  const outcome = await outcomeOf(open, payment, ports);
  if (outcome.kind === 'settled') {
    await ledger.settle(open, finish(open.prepared, paidBy(payment, outcome.tx)), outcome.tx, clock.now());
    return 'settled';
  }
  if (outcome.kind === 'never') {
    return (await ledger.reject(open, clock.now(), outcome.revertedTx)) ? 'rejected' : 'open';
  }
  return 'open';
}

type Outcome =
  | { readonly kind: 'settled'; readonly tx: string }
  /** It has not paid and never will. */
  | { readonly kind: 'never'; readonly revertedTx: string | null }
  | { readonly kind: 'unknown' };

/** A refusal now says nothing about a transaction that was sent earlier; only the chain can rule that out. */
async function outcomeOf(
  open: OpenSettlement,
  payment: Payment,
  { ledger, facilitator, authorizationLog, clock }: ReconcilePorts,
): Promise<Outcome> {
  const { authorization } = payment;
  const charge = { amount: microUsd(authorization.value), payTo: authorization.to };
  const maySend = () => ledger.takeSend(open, clock.now());
  const settlement = await facilitator.settle(payment, charge, maySend);
  if (settlement.kind === 'settled') return { kind: 'settled', tx: settlement.tx };
  const revertedTx = settlement.kind === 'reverted' ? settlement.tx : null;
  if (revertedTx !== null) await ledger.endSends(open);
  const use = await authorizationLog.useOf(authorization);
  switch (use.kind) {
    case 'used':
      return { kind: 'settled', tx: use.tx };
    case 'void':
      return { kind: 'never', revertedTx };
    case 'unused': {
      const isOver = revertedTx !== null || isLongExpired(authorization, use.asOf);
      return isOver ? { kind: 'never', revertedTx } : { kind: 'unknown' };
    }
    case 'unavailable':
      return { kind: 'unknown' };
  }
}
