import type { Counter } from '../../core/access/quota.ts';
import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import type { Purchase } from '../../core/x402/paid-request.ts';
import { keepPayment, type Payment } from '../../core/x402/payment-payload.ts';
import { type PaymentRefusal, termsRefusal, validityRefusal } from '../../core/x402/payment-refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { Facilitator } from '../../ports/facilitator.ts';
import type {
  Attempt,
  PaidOperation,
  PaidRequest,
  PaymentLedger,
  PreparedAnswer,
} from '../../ports/payment-ledger.ts';
import {
  type KnownOutcome,
  knownOutcome,
  outcomeOf,
  paidRequest,
  type Reverted,
  untilDecided,
} from './bought-before.ts';
import { type SettlePorts, type SettleStep, settlePayment } from './settle-payment.ts';
import { type FailureLimit, type VerifyPorts, verifyPayment } from './verify-payment.ts';

export interface ChargePorts extends SettlePorts, VerifyPorts {
  readonly ledger: PaymentLedger;
  readonly counters: Pick<CounterStore, 'reserve' | 'giveBack'>;
  readonly facilitator: Facilitator;
  readonly clock: Clock;
  /** A name that no other attempt has. */
  readonly newHolder: () => string;
  readonly onStep?: ((step: ChargeStep) => Promise<void>) | undefined;
}

export type ChargeStep = 'verified' | 'claimed' | 'worked' | 'prepared' | SettleStep;

/** Something on sale. `Goods` is what the quote already found out and the work can use. */
export interface Order<Result, Goods> extends Purchase {
  readonly operation: PaidOperation;
  /** `offered` is the amount of the payment; null when there is none. */
  readonly quote: (offered: MicroUsd | null) => Promise<Quote<Goods> | NothingSold<Result>>;
  /** Reserved before the work, for the verified payer and never for a claimed one (gap G08). */
  readonly limit: ((payer: string) => Counter) | null;
  readonly work: (goods: Goods, payment: Payment) => Promise<Work | NothingSold<Result>>;
}

export interface Quote<Goods> {
  readonly kind: 'price';
  readonly price: MicroUsd;
  readonly goods: Goods;
}

/** The terms of something that costs everybody the same, without a limit. */
export function atPrice(price: MicroUsd): Pick<Order<never, null>, 'quote' | 'limit'> {
  return { quote: async () => ({ kind: 'price', price, goods: null }), limit: null };
}

export interface Work {
  readonly kind: 'done';
  readonly answer: Omit<PreparedAnswer, 'operation'>;
}

/** There is nothing to sell: the payment stays the buyer's. */
export interface NothingSold<Result> {
  readonly kind: 'nothing_sold';
  readonly result: Result;
}

export type Charged =
  | Exclude<KnownOutcome, Reverted>
  /** `settling`: refused only at the last step. */
  | {
      readonly kind: 'refused';
      readonly reason: PaymentRefusal;
      readonly price: MicroUsd;
      readonly settling: boolean;
    }
  | { readonly kind: 'limited' }
  | FailureLimit
  /** The facilitator could not be reached; nothing was done. */
  | { readonly kind: 'unavailable' };

/** How long a claim holds: longer than any work takes, short enough for a buyer whose process died. */
const CLAIM_MS = 30_000;

/** Who is paid, and who presents the payment. */
export interface Parties {
  readonly payTo: string;
  readonly from: string;
  /** The budget of this network for payments that cannot be verified. */
  readonly failures: readonly Counter[];
}

/** One payment, one answer (gaps G63 and G64): quote, verify, claim, work, prepare, settle, freeze. */
export async function charge<Result, Goods>(
  order: Order<Result, Goods>,
  payment: Payment,
  { payTo, from, failures }: Parties,
  ports: ChargePorts,
): Promise<Result | Charged> {
  const { ledger, clock, onStep = async () => {} } = ports;
  const request = paidRequest(order, payment, from);
  const known = await knownOutcome(request, ports);
  if (known !== null && known.kind !== 'reverted') return known;
  const quote = await order.quote(offeredBy(payment));
  if (quote.kind === 'nothing_sold') return quote.result;
  const { price, goods } = quote;
  const due = { amount: price, payTo };
  const told = (outcome: KnownOutcome): Charged =>
    outcome.kind === 'reverted'
      ? { kind: 'refused', reason: 'failed_on_chain', price, settling: false }
      : outcome;
  if (known !== null) return told(known);
  const reason = termsRefusal(payment, due) ?? validityRefusal(payment.authorization, clock.now());
  if (reason !== null) return { kind: 'refused', reason, price, settling: false };
  const verification = await verifyPayment(payment, due, failures, ports);
  if (verification.kind === 'unavailable' || verification.kind === 'failure_limit') return verification;
  if (verification.kind === 'invalid') {
    // Another request may have settled the same payment since the first look.
    const meanwhile = await knownOutcome(request, ports);
    if (meanwhile !== null) return told(meanwhile);
    return { kind: 'refused', reason: verification.reason, price, settling: false };
  }
  await onStep('verified');
  const attempt = { key: request.key, holder: ports.newHolder() };
  const claimed = await untilDecided(() => ledger.claim(claimOf(request, attempt, clock.now())), clock);
  if (claimed.kind !== 'claimed') return told(await outcomeOf(claimed, request, ports));
  await onStep('claimed');
  const limit = order.limit?.(verification.payer) ?? null;
  const work = await workWithinLimit(() => order.work(goods, payment), limit, attempt, ports);
  if (work.kind === 'nothing_sold') return work.result;
  if (work.kind === 'limited') return work;
  const prepared = { ...work.answer, operation: order.operation };
  if (!(await prepare(prepared, payment, attempt, ports))) return { kind: 'pending' };
  const settled = await settlePayment({ payment, due, attempt, prepared }, ports);
  if (settled.kind === 'settled') return { kind: 'answered', answer: settled.answer, replayed: false };
  return settled.kind === 'refused' ? { ...settled, price, settling: true } : settled;
}

function offeredBy({ authorization }: Payment): MicroUsd {
  return microUsd(authorization.value);
}

function claimOf(request: PaidRequest, attempt: Attempt, claimedAt: Date) {
  return { ...request, ...attempt, claimedAt, heldUntil: new Date(claimedAt.getTime() + CLAIM_MS) };
}

/** Reserves the payer's limit and works. Work that sells nothing, or fails, gives back the claim and the reservation. */
async function workWithinLimit<Result>(
  work: () => Promise<Work | NothingSold<Result>>,
  limit: Counter | null,
  attempt: Attempt,
  { ledger, counters, onStep = async () => {} }: ChargePorts,
): Promise<Work | NothingSold<Result> | { readonly kind: 'limited' }> {
  let reserved = false;
  const giveBack = async () => {
    await ledger.release(attempt);
    if (reserved && limit !== null) await counters.giveBack(limit);
  };
  try {
    reserved = limit !== null && (await counters.reserve([limit])).granted;
    const isLimited = limit !== null && !reserved;
    const worked = isLimited ? ({ kind: 'limited' } as const) : await work();
    await onStep('worked');
    if (worked.kind !== 'done') await giveBack();
    return worked;
  } catch (fault) {
    // The first fault matters more; a claim that could not be released expires by itself.
    await giveBack().catch(() => {});
    throw fault;
  }
}

/** Stores the answer. False when it may or may not be stored, or the claim was lost: the reconciler settles what is stored. */
async function prepare(
  answer: PreparedAnswer,
  payment: Payment,
  attempt: Attempt,
  { ledger, clock, onFault, onStep = async () => {} }: ChargePorts,
): Promise<boolean> {
  try {
    const isOurs = await ledger.prepare(attempt, answer, keepPayment(payment), clock.now());
    if (isOurs) await onStep('prepared');
    return isOurs;
  } catch (fault) {
    onFault(fault);
    return false;
  }
}
