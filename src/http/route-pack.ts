import { PACK_PRICE } from '../core/limits.ts';
import { PACK } from '../wire/paid-routes.ts';
import type { Handler } from './exchange.ts';
import { demandPayment, type PaymentParts } from './payment-gate.ts';

/** GET and POST of the pack: always paid; a body is ignored (gap G89). */
export function packRoute(parts: PaymentParts): Handler {
  return (exchange) => demandPayment(exchange, PACK, PACK_PRICE, parts);
}
