import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { PaidRoute } from '../../wire/payment/paid-routes.ts';
import { type Demand, paymentRequired, paymentRequiredV1 } from '../../wire/payment/payment-required.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import { type Answer, answerJson, answerProblem, type Headers, NO_STORE } from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** A paid route, the wallet that receives, and the headers that its answers share. */
export interface SaleTerms {
  readonly route: PaidRoute;
  readonly payTo: string | null;
  readonly headers?: Headers;
  /** What comes before the body of an answer that says so. */
  readonly pack?: Buffer;
}

export const NO_WALLET: Problem = {
  code: 'payments_unavailable',
  detail: 'This service has no wallet configured; only free calls are served.',
  retryAfterSeconds: 3_600,
};

/** The 402: header and body carry the same object (gap G61), unless an older client asks for its own form (gap G61b). */
export function demandPayment(
  exchange: Exchange,
  { route, payTo, headers = {} }: SaleTerms,
  amount: MicroUsd,
  error = 'Payment required',
): Answer {
  exchange.facts.tier = 'unpaid';
  if (payTo === null) return answerProblem(exchange, NO_WALLET);
  const demand: Demand = {
    route,
    method: exchange.method === 'POST' ? 'POST' : 'GET',
    price: { amount, payTo },
    base: exchange.links.base,
    error,
  };
  const text = JSON.stringify(paymentRequired(demand));
  const body = exchange.header('x-402-version') === '1' ? JSON.stringify(paymentRequiredV1(demand)) : text;
  return answerJson(exchange, 402, body, {
    'payment-required': Buffer.from(text).toString('base64'),
    ...NO_STORE,
    ...headers,
  });
}
