import { secondsToNextUtcHour } from '../core/access/utc-window.ts';
import type { MicroUsd } from '../core/money/micro-usd.ts';
import { type Payment, readPayment } from '../core/x402/payment-payload.ts';
import type { PaymentRefusal } from '../core/x402/payment-refusal.ts';
import type { BoughtBefore, Charged, ChargeFor } from '../flows/charge.ts';
import type { FrozenAnswer, PreparedAnswer } from '../ports/payment-ledger.ts';
import { refusedSettlement } from '../wire/payment/paid-answer.ts';
import type { PaidRoute } from '../wire/payment/paid-routes.ts';
import { type Demand, paymentRequired, paymentRequiredV1 } from '../wire/payment/payment-required.ts';
import type { Problem } from '../wire/responses/problem.ts';
import { type Answer, answerJson, answerProblem, type Headers, NO_STORE } from './answer.ts';
import type { Exchange } from './exchange/exchange.ts';

export interface PaymentParts {
  /** The wallet that receives; null when the operator has set none, and then nothing can be bought (gap G66). */
  readonly payTo: string | null;
  readonly chargeFor: ChargeFor;
  readonly boughtBefore: BoughtBefore;
  readonly now: () => Date;
}

/** What a caller offers in its headers. */
export type Offered =
  | { readonly kind: 'payment'; readonly payment: Payment; readonly payTo: string }
  /** Nothing that could be charged: `error` is for the 402. */
  | { readonly kind: 'unpaid'; readonly error: string }
  /** Nothing that could be answered with a price. */
  | { readonly kind: 'problem'; readonly problem: Problem };

export function offeredPayment({ header }: Exchange, { payTo }: Pick<PaymentParts, 'payTo'>): Offered {
  if (payTo === null) return { kind: 'problem', problem: NO_WALLET };
  const reading = readPayment({
    paymentSignature: header('payment-signature'),
    xPayment: header('x-payment'),
  });
  switch (reading.kind) {
    case 'none':
      return { kind: 'unpaid', error: 'Payment required' };
    case 'malformed':
      return { kind: 'unpaid', error: 'payment_malformed' };
    case 'conflict':
      return { kind: 'problem', problem: TWO_PAYMENTS };
    case 'bad_identifier':
      return { kind: 'problem', problem: BAD_IDENTIFIER };
    case 'payment':
      return { kind: 'payment', payment: reading.payment, payTo };
  }
}

export const NO_WALLET: Problem = {
  code: 'payments_unavailable',
  detail: 'This service has no wallet to be paid to, so only free calls are served.',
  retryAfterSeconds: 3_600,
};

const TWO_PAYMENTS: Problem = {
  code: 'bad_request',
  field: 'PAYMENT-SIGNATURE',
  detail: 'PAYMENT-SIGNATURE and X-PAYMENT carry two different payments; neither was used.',
};

const BAD_IDENTIFIER: Problem = {
  code: 'bad_request',
  field: 'payment-identifier',
  detail: 'The id of a payment-identifier must have 16 to 128 letters, digits, dashes or underscores.',
};

/** What is on sale, and the headers that its answers share. */
export interface Sale {
  readonly route: PaidRoute;
  readonly headers?: Headers;
}

/** The 402: header and body carry the same object (gap G61), unless an older client asks for its own form (gap G61b). */
export function demandPayment(
  exchange: Exchange,
  { route, headers = {} }: Sale,
  { amount, error }: { readonly amount: MicroUsd; readonly error?: string },
  { payTo }: Pick<PaymentParts, 'payTo'>,
): Answer {
  exchange.facts.tier = 'unpaid';
  if (payTo === null) return answerProblem(exchange, NO_WALLET);
  const demand: Demand = {
    route,
    method: exchange.method === 'POST' ? 'POST' : 'GET',
    price: { amount, payTo },
    base: exchange.links.base,
    error: error ?? 'Payment required',
  };
  const text = JSON.stringify(paymentRequired(demand));
  const body = exchange.header('x-402-version') === '1' ? JSON.stringify(paymentRequiredV1(demand)) : text;
  return answerJson(exchange, 402, body, {
    'payment-required': Buffer.from(text).toString('base64'),
    ...NO_STORE,
    ...headers,
  });
}

const RETRY_SECONDS = 5;

const UNAVAILABLE: Problem = {
  code: 'facilitator_unavailable',
  detail: 'The payment could not be verified just now; nothing was charged.',
  retryAfterSeconds: RETRY_SECONDS,
};

/** Never a price: whoever is asked to pay here might pay twice (gap G64). */
const PENDING: Problem = {
  code: 'settlement_pending',
  detail:
    'It is not known yet whether this payment went through; send the same payment again, never a new one.',
  retryAfterSeconds: RETRY_SECONDS,
};

const REUSED: Problem = {
  code: 'payment_reused',
  detail: 'This payment, or its identifier, was for another request; nothing was charged now.',
};

/** What became of a payment, for its buyer. */
export function answerCharged<Stopped>(
  exchange: Exchange,
  sale: Sale,
  charged: Charged<Stopped>,
  parts: PaymentParts,
  answerStopped: (because: Stopped) => Answer,
): Answer {
  switch (charged.kind) {
    case 'answered':
      return answerFrozen(exchange, charged.answer, sale);
    case 'stopped':
      return answerStopped(charged.because);
    case 'refused': {
      const { reason, price, settling } = charged;
      const headers = { ...sale.headers, ...(settling ? refusedHeaders(reason) : {}) };
      return demandPayment(exchange, { ...sale, headers }, { amount: price, error: reason }, parts);
    }
    case 'reused':
      return answerProblem(exchange, REUSED);
    case 'limited':
      return answerProblem(exchange, {
        code: 'paid_limit',
        detail: 'This payer has had its paid checks of the hour; nothing was charged.',
        retryAfterSeconds: secondsToNextUtcHour(parts.now()),
      });
    case 'pending':
      return answerProblem(exchange, PENDING);
    case 'unavailable':
      return answerProblem(exchange, UNAVAILABLE);
  }
}

/** A payment that has bought its answer brings it back, also when something is free again (gap G63). Null for any other. */
export async function answerBought(
  exchange: Exchange,
  sale: Sale & Pick<PreparedAnswer, 'operation'> & { readonly parameters: readonly (string | null)[] },
  parts: PaymentParts,
): Promise<Answer | null> {
  const offered = offeredPayment(exchange, parts);
  if (offered.kind !== 'payment') return null;
  const { operation, parameters } = sale;
  const charged = await parts.boughtBefore({ payment: offered.payment, operation, parameters });
  return charged === null ? null : answerCharged(exchange, sale, charged, parts, (never) => never);
}

export function hasPayment({ header }: Exchange): boolean {
  return header('payment-signature') !== null || header('x-payment') !== null;
}

function refusedHeaders(reason: PaymentRefusal): Headers {
  const response = refusedSettlement(reason);
  return { 'payment-response': response, 'x-payment-response': response };
}

function answerFrozen(exchange: Exchange, { status, headers, body }: FrozenAnswer, sale: Sale): Answer {
  exchange.facts.tier = 'paid';
  return answerJson(exchange, status, body, { ...NO_STORE, ...sale.headers, ...headers });
}
