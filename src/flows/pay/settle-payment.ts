import type { Payment } from '../../core/x402/payment-payload.ts';
import type { PaymentRefusal } from '../../core/x402/payment-refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AuthorizationLog, Charge, Facilitator } from '../../ports/facilitator.ts';
import type { Attempt, FrozenAnswer, PaymentLedger, PreparedAnswer } from '../../ports/payment-ledger.ts';

/** How an answer was paid for. */
export interface Paid {
  readonly tx: string;
  readonly payer: string;
  readonly amount: bigint;
}

/** Writes the settlement into an answer that was prepared without it. */
export type FinishAnswer = (prepared: PreparedAnswer, paid: Paid) => FrozenAnswer;

export type SettleStep = 'settled' | 'frozen';

export interface SettlePorts {
  readonly ledger: Pick<PaymentLedger, 'settle' | 'refuse' | 'leaveOpen' | 'takeSend' | 'endSends'>;
  readonly facilitator: Pick<Facilitator, 'settle'>;
  readonly authorizationLog: AuthorizationLog;
  readonly finish: FinishAnswer;
  readonly clock: Pick<Clock, 'now'>;
  /** Receives faults that the buyer must not see as a failure: the money may have moved. */
  readonly onFault: (fault: unknown) => void;
  /** Called after each step. Tests stop the process there. */
  readonly onStep?: ((step: SettleStep) => Promise<void>) | undefined;
}

export type Settled =
  | { readonly kind: 'settled'; readonly answer: FrozenAnswer }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }
  | { readonly kind: 'pending' };

/** One prepared answer and the payment that buys it. */
export interface Settling {
  readonly payment: Payment;
  readonly due: Charge;
  readonly attempt: Attempt;
  readonly prepared: PreparedAnswer;
}

/** Settles, then freezes the answer. The answer is already stored: a fault from here on means pending, never unpaid. */
export async function settlePayment(settling: Settling, ports: SettlePorts): Promise<Settled> {
  const { ledger, clock, onStep = async () => {} } = ports;
  const { payment, attempt } = settling;
  try {
    const outcome = await askToSettle(settling, ports);
    await onStep('settled');
    if (outcome.kind === 'settled') {
      const answer = ports.finish(settling.prepared, paidBy(payment, outcome.tx));
      const frozen = await ledger.settle(attempt, answer, outcome.tx, clock.now());
      await onStep('frozen');
      return { kind: 'settled', answer: frozen };
    }
    if (outcome.kind === 'refused') {
      const { reason, revertedTx } = outcome;
      if (await ledger.refuse(attempt, clock.now(), revertedTx)) return { kind: 'refused', reason };
    }
    await ledger.leaveOpen(attempt, clock.now());
    return { kind: 'pending' };
  } catch (fault) {
    ports.onFault(fault);
    return { kind: 'pending' };
  }
}

export function paidBy({ payer, authorization }: Payment, tx: string): Paid {
  return { tx, payer, amount: authorization.value };
}

type Outcome =
  | { readonly kind: 'settled'; readonly tx: string }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal; readonly revertedTx: string | null }
  | { readonly kind: 'unknown' };

/**
 * A refusal does not say why the money is gone: an earlier attempt, or the reconciler, may have settled this very payment.
 * Only the chain knows.
 */
async function askToSettle(
  { payment, due, attempt }: Settling,
  { ledger, facilitator, authorizationLog, clock }: SettlePorts,
): Promise<Outcome> {
  const maySend = () => ledger.takeSend(attempt, clock.now());
  const settlement = await facilitator.settle(payment, due, maySend);
  if (settlement.kind === 'settled' || settlement.kind === 'unknown') return settlement;
  // Before anything can fail: what has failed on the chain once would fail again, at our expense.
  if (settlement.kind === 'reverted') await ledger.endSends(attempt);
  const use = await authorizationLog.useOf(payment.authorization);
  if (use.kind === 'used') return { kind: 'settled', tx: use.tx };
  if (use.kind === 'unavailable') return { kind: 'unknown' };
  if (settlement.kind === 'reverted')
    return { kind: 'refused', reason: 'failed_on_chain', revertedTx: settlement.tx };
  const isDoubtful = settlement.reason === 'already_used' && use.kind === 'unused';
  return isDoubtful ? { kind: 'unknown' } : { ...settlement, revertedTx: null };
}
