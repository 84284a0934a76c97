import { secondsToNextUtcDay } from '../../core/access/utc-window.ts';
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
  /** The free calls that come before a sale. */
  readonly free?: FreeCalls;
  /** What comes before the body of an answer that says so. */
  readonly pack?: Buffer;
}

export interface FreeCalls {
  readonly name: 'lookups' | 'checks';
  readonly perDay: number;
}

/** Nothing can be bought (gap G66); free calls come back at midnight. */
export function noWallet(free: FreeCalls | undefined, now: Date): Problem {
  if (free === undefined) return SELLS_NOTHING;
  return {
    code: 'payments_unavailable',
    detail: `The free ${free.name} of this UTC day are used up (${free.perDay} per caller), and this service sells none: it has no wallet. Free again at 00:00 UTC.`,
    retryAfterSeconds: secondsToNextUtcDay(now),
  };
}

const SELLS_NOTHING: Problem = {
  code: 'payments_unavailable',
  detail:
    'This service sells nothing: it has no wallet. Lookups and checks are free within their daily quota.',
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
  if (payTo === null) return answerProblem(exchange, SELLS_NOTHING);
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
