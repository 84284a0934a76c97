import { secondsToNextUtcHour } from '../../core/access/utc-window.ts';
import type { PaymentReading } from '../../core/x402/payment-payload.ts';
import type { PaymentRefusal } from '../../core/x402/payment-refusal.ts';
import { recordDelivery } from '../../flows/pay/record-delivery.ts';
import type { SaleOutcome, SellPorts } from '../../flows/pay/sell.ts';
import type { FrozenAnswer } from '../../ports/payment-ledger.ts';
import { refusedSettlement } from '../../wire/payment/paid-answer.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import {
  type Answer,
  answerJson,
  answerProblem,
  type Body,
  type Headers,
  NO_STORE,
} from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { demandPayment, noWallet, type SaleTerms } from './demand-payment.ts';

export interface OfferedSale extends Omit<SaleTerms, 'payTo'> {
  /** What the route has read, and sold for. */
  readonly offered: PaymentReading;
}

/** The answer to a sale: a check, a lookup or the pack. */
export function answerSale(
  exchange: Exchange,
  outcome: SaleOutcome,
  terms: OfferedSale,
  payments: SellPorts,
): Answer {
  const sale = { ...terms, payTo: payments.payTo };
  const now = payments.clock.now();
  switch (outcome.kind) {
    case 'answered': {
      exchange.facts.tier = 'paid';
      exchange.cost.reads = 0;
      noteDelivery(exchange, terms.offered, payments);
      const { status, headers } = outcome.answer;
      const body = bodyOf(outcome.answer, terms.pack);
      // A repeated payment says nothing about the current free quota.
      const shared = outcome.replayed ? {} : terms.headers;
      return answerJson(exchange, status, body, { ...NO_STORE, ...shared, ...headers });
    }
    case 'payment_required': {
      const error = outcome.malformed ? 'payment_malformed' : 'Payment required';
      return demandPayment(exchange, sale, outcome.price, error);
    }
    case 'refused': {
      const { reason, price, settling } = outcome;
      const headers = { ...terms.headers, ...(settling ? refusedHeaders(reason) : {}) };
      return demandPayment(exchange, { ...sale, headers }, price, reason);
    }
    case 'limited':
      return answerProblem(exchange, paidLimit(now));
    case 'failure_limit':
      return answerProblem(exchange, failureLimit(now));
    case 'replay_limit':
      return answerProblem(exchange, replayLimit(now));
    case 'no_wallet':
      return answerProblem(exchange, noWallet(terms.free, now), terms.headers);
    default:
      return answerProblem(exchange, PROBLEMS[outcome.kind]);
  }
}

function noteDelivery(exchange: Exchange, offered: PaymentReading, payments: SellPorts): void {
  const address = exchange.callerAddress();
  if (offered.kind === 'payment') {
    exchange.written.push(() => recordDelivery(offered.payment, address, payments));
  }
}

function bodyOf({ goods, body }: FrozenAnswer, pack: Buffer | undefined): Body {
  if (goods === undefined) return body;
  if (pack === undefined) throw new Error('only the route of the pack delivers packs');
  return [pack, body];
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

function replayLimit(now: Date): Problem {
  return {
    code: 'replay_limit',
    detail: 'The answer of this payment was returned too often this hour; nothing was charged again.',
    retryAfterSeconds: secondsToNextUtcHour(now),
  };
}

function failureLimit(now: Date): Problem {
  return {
    code: 'verification_limit',
    detail: 'Too many payments of this network could not be verified this hour; nothing was charged.',
    retryAfterSeconds: secondsToNextUtcHour(now),
  };
}

const RETRY_SECONDS = 5;

type ProblemKind =
  | 'two_payments'
  | 'bad_identifier'
  | 'too_many_copies'
  | 'reused'
  | 'delivered'
  | 'pending'
  | 'unavailable';

const PROBLEMS: Readonly<Record<ProblemKind, Problem>> = {
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
  too_many_copies: {
    code: 'payment_busy',
    detail:
      'This payment is already being processed several times; repeat it when one of them has been answered.',
    retryAfterSeconds: 1,
  },
  reused: {
    code: 'payment_reused',
    detail: 'This payment, or its identifier, was used for another request; nothing was charged.',
  },
  delivered: {
    code: 'payment_delivered',
    detail:
      'The answer of this payment was delivered. It is returned again only to the network that paid or received it, or with a payment-identifier that was sent with the payment.',
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
