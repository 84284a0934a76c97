import type { Counter } from '../core/access/quota.ts';
import type { MicroUsd } from '../core/money/micro-usd.ts';
import { paidRequestKey, paymentKey } from '../core/x402/paid-request.ts';
import { keepPayment, type Payment } from '../core/x402/payment-payload.ts';
import { type PaymentRefusal, termsRefusal, validityRefusal } from '../core/x402/payment-refusal.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { AuthorizationLog, Facilitator } from '../ports/facilitator.ts';
import type {
  Attempt,
  FrozenAnswer,
  PaidOperation,
  PaidRequest,
  PaymentLedger,
  PreparedAnswer,
  Standing,
} from '../ports/payment-ledger.ts';
import { createSettle, type FinishAnswer } from './pay/settle-payment.ts';

export interface ChargeParts {
  readonly ledger: PaymentLedger;
  readonly counters: CounterStore;
  readonly facilitator: Facilitator;
  readonly authorizationLog: AuthorizationLog;
  readonly finish: FinishAnswer;
  readonly now: () => Date;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** A name that no other attempt has. */
  readonly newHolder: () => string;
  /** Told of a fault that the buyer must not hear as a failure: the money may have moved. */
  readonly onFault: (fault: unknown) => void;
  /** Called after each step. Tests stop the process there. */
  readonly onStep?: ((step: ChargeStep) => Promise<void>) | undefined;
}

export type ChargeStep = 'verified' | 'claimed' | 'worked' | 'prepared' | 'settled' | 'frozen';

/** Something to be bought with one payment. */
export interface Order<Stopped> {
  readonly payment: Payment;
  readonly operation: PaidOperation;
  /** All that the answer depends on, in one order and one spelling. */
  readonly parameters: readonly (string | null)[];
  /** What it costs, asked for only when the payment has not bought its answer already. */
  readonly quote: () => Promise<Quoted<Stopped>>;
  readonly payTo: string;
  /** Raised before the work, for the payer who was verified and for nobody who was only named (gap G08). */
  readonly limit: ((payer: string) => Counter) | null;
  readonly work: () => Promise<Work<Stopped>>;
}

export type Quoted<Stopped> =
  | { readonly kind: 'price'; readonly price: MicroUsd }
  | { readonly kind: 'stopped'; readonly because: Stopped };

export type Work<Stopped> =
  | { readonly kind: 'done'; readonly answer: Omit<PreparedAnswer, 'operation'> }
  /** There is nothing to sell: the payment stays the buyer's. */
  | { readonly kind: 'stopped'; readonly because: Stopped };

export type Charged<Stopped> =
  | { readonly kind: 'answered'; readonly answer: FrozenAnswer }
  | { readonly kind: 'stopped'; readonly because: Stopped }
  /** `settling` when it was refused only at the last step. */
  | {
      readonly kind: 'refused';
      readonly reason: PaymentRefusal;
      readonly price: MicroUsd;
      readonly settling: boolean;
    }
  /** The payment, or its identifier, was for something else, or its answer is no longer kept. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'limited' }
  /** The outcome is not known yet; only the same payment may be sent again. */
  | { readonly kind: 'pending' }
  /** Nobody could be asked whether the payment is good; nothing was done. */
  | { readonly kind: 'unavailable' };

/**
 * What a payment has bought already, or is buying right now; null for one that nobody has used here for this. After null the
 * answer may be given away: no attempt that was under way will charge for it.
 */
export type BoughtBefore = (
  order: Pick<Order<never>, 'payment' | 'operation' | 'parameters'>,
) => Promise<Charged<never> | null>;

export function createBoughtBefore(parts: Pick<ChargeParts, 'ledger' | 'now' | 'wait'>): BoughtBefore {
  return async (order) => {
    const request = requestOf(order);
    const known = await untilDecided(() => parts.ledger.lookAndEnd(request, parts.now()), parts);
    const outcome = known === null ? null : ended(known);
    return outcome?.kind === 'answered' || outcome?.kind === 'pending' ? outcome : null;
  };
}

export type ChargeFor = <Stopped>(order: Order<Stopped>) => Promise<Charged<Stopped>>;

/** Until a claim is up for others: longer than any work takes, short enough for a buyer whose process died. */
const CLAIM_MS = 30_000;
/** How long a repeated payment waits for the first one. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = { first: 20, longest: 500 };

/** One payment, one answer (gaps G63 and G64): verify, claim, work, store, settle, freeze. */
export function createCharge(parts: ChargeParts): ChargeFor {
  const { ledger, facilitator, now, onStep = async () => {} } = parts;
  const settle = createSettle(parts);

  const chargeFor: ChargeFor = async (order) => {
    const { payment, payTo } = order;
    const request = requestOf(order);
    const standing = () => untilDecided(() => ledger.look(request, now()), parts);
    const known = await standing();
    if (known !== null) return ended(known);
    const quoted = await order.quote();
    if (quoted.kind === 'stopped') return quoted;
    const { price } = quoted;
    const due = { amount: price, payTo };
    const reason = termsRefusal(payment, due) ?? validityRefusal(payment.authorization, now());
    if (reason !== null) return { kind: 'refused', reason, price, settling: false };
    const verification = await facilitator.verify(payment, due);
    if (verification.kind === 'unavailable') return verification;
    if (verification.kind === 'invalid') {
      // The same payment may have been settled by another request since the first look.
      const meanwhile = await standing();
      if (meanwhile !== null) return ended(meanwhile);
      return { kind: 'refused', reason: verification.reason, price, settling: false };
    }
    await onStep('verified');
    const attempt = { key: request.key, holder: parts.newHolder() };
    const claimed = await untilDecided(() => ledger.claim(claimOf(request, attempt, now())), parts);
    if (claimed.kind !== 'claimed') return ended(claimed);
    await onStep('claimed');
    const prepared = await prepare(order, verification.payer, attempt);
    if (prepared.kind !== 'prepared') return prepared;
    const settled = await settle(payment, due, attempt, prepared.answer);
    return settled.kind === 'refused' ? { ...settled, price, settling: true } : settled;
  };

  /** Work that sells nothing, or that fails, gives back everything it was begun with. */
  const prepare = async <Stopped>(order: Order<Stopped>, payer: string, attempt: Attempt) => {
    const limit = order.limit?.(payer) ?? null;
    let counted = false;
    const giveBack = async () => {
      await ledger.release(attempt);
      if (counted && limit !== null) await parts.counters.giveBack(limit);
    };
    try {
      counted = limit !== null && (await parts.counters.reserve([limit])).granted;
      const isLimited = limit !== null && !counted;
      const work = isLimited ? ({ kind: 'limited' } as const) : await order.work();
      await onStep('worked');
      if (work.kind === 'done') {
        return await keep({ ...work.answer, operation: order.operation }, order.payment, attempt);
      }
      await giveBack();
      return work;
    } catch (fault) {
      // What brought us here matters more; a claim that could not be released runs out by itself.
      await giveBack().catch(() => {});
      throw fault;
    }
  };

  /** From here on a fault says nothing about the money: the answer may be stored, and then it will be settled. */
  const keep = async (answer: PreparedAnswer, payment: Payment, attempt: Attempt) => {
    try {
      const isOurs = await ledger.prepare(attempt, answer, keepPayment(payment), now());
      if (!isOurs) return PENDING;
      await onStep('prepared');
      return { kind: 'prepared', answer } as const;
    } catch (fault) {
      parts.onFault(fault);
      return PENDING;
    }
  };

  return chargeFor;
}

const PENDING = { kind: 'pending' } as const;

function requestOf<Stopped>({
  payment,
  operation,
  parameters,
}: Pick<Order<Stopped>, 'payment' | 'operation' | 'parameters'>): PaidRequest {
  return {
    key: paymentKey(payment),
    requestKey: paidRequestKey({ operation, parameters }, payment),
    identifier: payment.identifier,
  };
}

function claimOf(request: PaidRequest, attempt: Attempt, claimedAt: Date) {
  return { ...request, ...attempt, claimedAt, heldUntil: new Date(claimedAt.getTime() + CLAIM_MS) };
}

/** Asks again while somebody else is at work on the payment. A settlement without an outcome is not waited for. */
async function untilDecided<Answer extends { readonly kind: string } | null>(
  ask: () => Promise<Answer>,
  { wait }: Pick<ChargeParts, 'wait'>,
): Promise<Answer> {
  let pause = PAUSE_MS.first;
  for (let waited = 0; ; ) {
    const answer = await ask();
    if (answer === null || !isUnderWay(answer) || waited >= PATIENCE_MS) return answer;
    await wait(pause);
    waited += pause;
    pause = Math.min(2 * pause, PAUSE_MS.longest);
  }
}

function isUnderWay(answer: { readonly kind: string; readonly state?: string }): boolean {
  return answer.kind === 'pending' && answer.state !== 'unknown';
}

function ended(standing: Standing): Charged<never> {
  switch (standing.kind) {
    case 'other_request':
      return { kind: 'reused' };
    case 'pending':
      return PENDING;
    case 'settled':
      return standing.answer === null ? { kind: 'reused' } : { kind: 'answered', answer: standing.answer };
  }
}
