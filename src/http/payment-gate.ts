import type { MicroUsd } from '../core/money/micro-usd.ts';
import type { PaidRoute } from '../wire/paid-routes.ts';
import { type Demand, paymentRequired, paymentRequiredV1 } from '../wire/payment-required.ts';
import { type Answer, answerJson, answerProblem, type Headers, NO_STORE } from './answer.ts';
import type { Exchange } from './exchange.ts';

export interface PaymentParts {
  /** The wallet that receives; null when the operator has set none, and then nothing can be bought (gap G66). */
  readonly payTo: string | null;
}

const NO_WALLET_RETRY_SECONDS = 3_600;

/** The 402: header and body carry the same object (gap G61), unless an older client asks for its own form (gap G61b). */
export function demandPayment(
  exchange: Exchange,
  route: PaidRoute,
  amount: MicroUsd,
  { payTo }: PaymentParts,
  headers: Headers = {},
): Answer {
  exchange.facts.tier = 'unpaid';
  if (payTo === null) {
    return answerProblem(exchange, {
      code: 'payments_unavailable',
      detail: 'This service has no wallet to be paid to, so only free calls are served.',
      retryAfterSeconds: NO_WALLET_RETRY_SECONDS,
    });
  }
  const demand: Demand = {
    route,
    method: exchange.method === 'POST' ? 'POST' : 'GET',
    price: { amount, payTo },
    base: exchange.links.base,
    error: 'Payment required',
  };
  const text = JSON.stringify(paymentRequired(demand));
  const body = exchange.header('x-402-version') === '1' ? JSON.stringify(paymentRequiredV1(demand)) : text;
  return answerJson(exchange, 402, body, {
    'payment-required': Buffer.from(text).toString('base64'),
    ...NO_STORE,
    ...headers,
  });
}
