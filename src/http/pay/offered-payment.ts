import { type PaymentReading, readPayment } from '../../core/x402/payment-payload.ts';
import type { Exchange } from '../exchange/exchange.ts';

/**
 * The payment of a request, read once, by its route. For a call over MCP the payment in `_meta` takes the place of the header, so it
 * is read here as well.
 */
export function offeredPayment({ header }: Pick<Exchange, 'header'>): PaymentReading {
  return readPayment({ paymentSignature: header('payment-signature'), xPayment: header('x-payment') });
}
