import { PACK_PRICE } from '../../core/limits.ts';
import { atPrice } from '../../flows/pay/charge.ts';
import { type Sale, type SellPorts, sell } from '../../flows/pay/sell.ts';
import { PACK } from '../../wire/payment/paid-routes.ts';
import type { Handler } from '../exchange/answer.ts';
import { answerSale } from '../pay/answer-sale.ts';
import { demandPayment } from '../pay/demand-payment.ts';
import { offeredPayment } from '../pay/offered-payment.ts';

export interface PackParts {
  readonly payments: SellPorts;
  /** The answer without its settlement, prepared at start and shared by all buyers. */
  readonly pack: Buffer;
}

/** GET and POST of the pack: always paid; a body is ignored (gap G89). Settled first, then delivered (gap G65). */
export function packRoute({ payments, pack }: PackParts): Handler {
  const sale: Sale<never, null> = {
    operation: 'pack',
    parameters: [],
    free: null,
    ...atPrice(PACK_PRICE),
    work: async () => ({ kind: 'done', answer: { body: '', receipt: null } }),
  };
  const terms = { route: PACK, payTo: payments.payTo, pack };
  return async (exchange) => {
    // HEAD shows the price and buys nothing (gap G83).
    if (exchange.method === 'HEAD') return demandPayment(exchange, terms, PACK_PRICE);
    const offered = offeredPayment(exchange);
    const outcome = await sell(sale, { address: exchange.callerAddress(), offered }, payments);
    return answerSale(exchange, outcome, { offered, ...terms }, payments);
  };
}
