import type { MicroUsd } from '../core/money/micro-usd.ts';
import type { Work } from '../flows/charge.ts';
import type { PaidOperation } from '../ports/payment-ledger.ts';
import { type Answer, answerProblem } from './answer.ts';
import type { Exchange } from './exchange/exchange.ts';
import {
  answerCharged,
  demandPayment,
  offeredPayment,
  type PaymentParts,
  type Sale,
} from './payment-gate.ts';

/** Something that costs the same for everybody. */
export interface FixedSale<Stopped> extends Sale {
  readonly price: MicroUsd;
  readonly operation: PaidOperation;
  readonly parameters: readonly (string | null)[];
  readonly work: () => Promise<Work<Stopped>>;
  readonly answerStopped: (because: Stopped) => Answer;
}

export async function sellAtFixedPrice<Stopped>(
  exchange: Exchange,
  sale: FixedSale<Stopped>,
  parts: PaymentParts,
): Promise<Answer> {
  const { price, operation, parameters, work } = sale;
  // A look at the headers buys nothing (gap G83).
  if (exchange.method === 'HEAD') return demandPayment(exchange, sale, { amount: price }, parts);
  const offered = offeredPayment(exchange, parts);
  if (offered.kind === 'problem') return answerProblem(exchange, offered.problem);
  if (offered.kind === 'unpaid') {
    return demandPayment(exchange, sale, { amount: price, error: offered.error }, parts);
  }
  const { payment, payTo } = offered;
  const quote = async () => ({ kind: 'price', price }) as const;
  const order = { payment, payTo, operation, parameters, quote, limit: null, work };
  return answerCharged(exchange, sale, await parts.chargeFor(order), parts, sale.answerStopped);
}
