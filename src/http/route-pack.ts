import { PACK_PRICE } from '../core/limits.ts';
import { PACK } from '../wire/payment/paid-routes.ts';
import type { Handler } from './exchange/exchange.ts';
import { type FixedSale, sellAtFixedPrice } from './fixed-sale.ts';
import type { PaymentParts } from './payment-gate.ts';

export interface PackParts extends PaymentParts {
  /** The answer without its settlement, made when the program starts: whoever has paid must not meet a missing file. */
  readonly pack: string;
}

/** GET and POST of the pack: always paid; a body is ignored (gap G89). Settled first, then delivered (gap G65). */
export function packRoute(parts: PackParts): Handler {
  const sale: FixedSale<never> = {
    route: PACK,
    price: PACK_PRICE,
    operation: 'pack',
    parameters: [],
    work: async () => ({ kind: 'done', answer: { body: parts.pack, receipt: null } }),
    answerStopped: (never) => never,
  };
  return (exchange) => sellAtFixedPrice(exchange, sale, parts);
}
