import { secondsToNextUtcHour } from '../../core/access/utc-window.ts';
import type { PaymentRefusal } from '../../core/x402/payment-refusal.ts';
import type { SaleOutcome } from '../../flows/pay/sell.ts';
import { refusedSettlement } from '../../wire/payment/paid-answer.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import { type Answer, answerJson, answerProblem, type Headers, NO_STORE } from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { demandPayment, NO_WALLET, type SaleTerms } from './demand-payment.ts';

/** The answer to a sale: a check, a lookup or the pack. */
export function answerSale(exchange: Exchange, outcome: SaleOutcome, terms: SaleTerms, now: Date): Answer {
  switch (outcome.kind) {
    case 'answered': {
      exchange.facts.tier = 'paid';
      const { status, headers, body } = outcome.answer;
      return answerJson(exchange, status, body, { ...NO_STORE, ...terms.headers, ...headers });
    }
    case 'payment_required': {
      const error = outcome.malformed ? 'payment_malformed' : 'Payment required';
      return demandPayment(exchange, terms, outcome.price, error);
    }
    case 'refused': {
      const { reason, price, settling } = outcome;
      const headers = { ...terms.headers, ...(settling ? refusedHeaders(reason) : {}) };
      return demandPayment(exchange, { ...terms, headers }, price, reason);
    }
    case 'limited':
      return answerProblem(exchange, paidLimit(now));
    default:
      return answerProblem(exchange, PROBLEMS[outcome.kind]);
  }
}

function refusedHeaders(reason: PaymentRefusal): Headers {
  const response = refusedSettlement(reason);
  return { 'payment-response': response, 'x-payment-response': response };
}

function paidLimit(now: Date): Problem {
  return {
    code: 'paid_limit',
    detail: 'This payer has used its paid checks for this hour; nothing was charged.',
    retryAfterSeconds: secondsToNextUtcHour(now),
  };
}

const RETRY_SECONDS = 5;

type ProblemKind = 'no_wallet' | 'two_payments' | 'bad_identifier' | 'reused' | 'pending' | 'unavailable';

const PROBLEMS: Readonly<Record<ProblemKind, Problem>> = {
  no_wallet: NO_WALLET,
  two_payments: {
    code: 'bad_request',
    field: 'PAYMENT-SIGNATURE',
    detail: 'PAYMENT-SIGNATURE and X-PAYMENT carry different payments; neither was used.',
  },
  bad_identifier: {
    code: 'bad_request',
    field: 'payment-identifier',
    detail: 'The id of payment-identifier must be 16 to 128 letters, digits, hyphens or underscores.',
  },
  reused: {
    code: 'payment_reused',
    detail: 'This payment, or its identifier, was used for another request; nothing was charged.',
  },
  /** Never a 402: a buyer who is asked to pay here might pay twice (gap G64). */
  pending: {
    code: 'settlement_pending',
    detail: 'The outcome of this payment is not known yet; retry the same payment, never a new one.',
    retryAfterSeconds: RETRY_SECONDS,
  },
  unavailable: {
    code: 'facilitator_unavailable',
    detail: 'The facilitator could not verify the payment; nothing was charged.',
    retryAfterSeconds: RETRY_SECONDS,
  },
};
