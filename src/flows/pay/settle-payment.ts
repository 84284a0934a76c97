import type { Payment } from '../../core/x402/payment-payload.ts';
import type { PaymentRefusal } from '../../core/x402/payment-refusal.ts';
import type { AuthorizationLog, Charge, Facilitator } from '../../ports/facilitator.ts';
import type { Attempt, FrozenAnswer, PaymentLedger, PreparedAnswer } from '../../ports/payment-ledger.ts';
import type { ChargeStep } from '../charge.ts';

/** How an answer was paid for. */
export interface Paid {
  readonly tx: string;
  readonly payer: string;
  readonly amount: bigint;
}

/** Writes the settlement into an answer that was prepared without it. */
export type FinishAnswer = (prepared: Pick<PreparedAnswer, 'operation' | 'body'>, paid: Paid) => FrozenAnswer;

export interface SettleParts {
  readonly ledger: Pick<PaymentLedger, 'settle' | 'reject' | 'leaveOpen'>;
  readonly facilitator: Pick<Facilitator, 'settle'>;
  readonly authorizationLog: AuthorizationLog;
  readonly finish: FinishAnswer;
  readonly now: () => Date;
  readonly onFault: (fault: unknown) => void;
  readonly onStep?: ((step: ChargeStep) => Promise<void>) | undefined;
}

export type Settled =
  | { readonly kind: 'answered'; readonly answer: FrozenAnswer }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }
  | { readonly kind: 'pending' };

export type SettlePayment = (
  payment: Payment,
  charge: Charge,
  attempt: Attempt,
  prepared: Pick<PreparedAnswer, 'operation' | 'body'>,
) => Promise<Settled>;

/** The last steps of a charge. The answer is stored; whatever fails from here on, nobody is told that nothing was paid. */
export function createSettle(parts: SettleParts): SettlePayment {
  const { ledger, now, onStep = async () => {} } = parts;
  return async (payment, charge, attempt, prepared) => {
    try {
      const outcome = await askToSettle(payment, charge, parts);
      await onStep('settled');
      if (outcome.kind === 'settled') {
        const answer = parts.finish(prepared, paidBy(payment, outcome.tx));
        const frozen = await ledger.settle(attempt, answer, outcome.tx, now());
        await onStep('frozen');
        return { kind: 'answered', answer: frozen };
      }
      if (outcome.kind === 'refused' && (await ledger.reject(attempt, now()))) return outcome;
      await ledger.leaveOpen(attempt, now());
      return { kind: 'pending' };
    } catch (fault) {
      parts.onFault(fault);
      return { kind: 'pending' };
    }
  };
}

export function paidBy({ payer, authorization }: Payment, tx: string): Paid {
  return { tx, payer, amount: authorization.value };
}

type Outcome =
  | { readonly kind: 'settled'; readonly tx: string }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }
  | { readonly kind: 'unknown' };

/**
 * A refusal does not say why the money is gone: an earlier attempt, or the reconciler, may have moved it for this very
 * payment. Only the chain knows.
 */
async function askToSettle(
  payment: Payment,
  charge: Charge,
  { facilitator, authorizationLog }: SettleParts,
): Promise<Outcome> {
  const settlement = await facilitator.settle(payment, charge);
  if (settlement.kind !== 'refused') return settlement;
  const use = await authorizationLog.useOf(payment.authorization);
  if (use.kind === 'used') return { kind: 'settled', tx: use.tx };
  const isDoubtful =
    use.kind === 'unavailable' || (settlement.reason === 'already_used' && use.kind === 'unused');
  return isDoubtful ? { kind: 'unknown' } : settlement;
}
