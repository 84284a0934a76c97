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
export type FinishAnswer = (prepared: Pick<PreparedAnswer, 'operation' | 'body'>, paid: Paid) => FrozenAnswer;

export type SettleStep = 'settled' | 'frozen';

export interface SettlePorts {
  readonly ledger: Pick<PaymentLedger, 'settle' | 'reject' | 'leaveOpen'>;
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
  readonly prepared: Pick<PreparedAnswer, 'operation' | 'body'>;
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
    if (outcome.kind === 'refused' && (await ledger.reject(attempt, clock.now()))) return outcome;
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
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }
  | { readonly kind: 'unknown' };

/**
 * A refusal does not say why the money is gone: an earlier attempt, or the reconciler, may have settled this very payment.
 * Only the chain knows.
 */
async function askToSettle(
  { payment, due }: Settling,
  { facilitator, authorizationLog }: SettlePorts,
): Promise<Outcome> {
  const settlement = await facilitator.settle(payment, due);
  if (settlement.kind !== 'refused') return settlement;
  const use = await authorizationLog.useOf(payment.authorization);
  if (use.kind === 'used') return { kind: 'settled', tx: use.tx };
  const isDoubtful =
    use.kind === 'unavailable' || (settlement.reason === 'already_used' && use.kind === 'unused');
  return isDoubtful ? { kind: 'unknown' } : settlement;
}
