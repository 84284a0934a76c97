import { type PaymentReading, readPayment } from '../../core/x402/payment-payload.ts';
import type { Exchange } from '../exchange/exchange.ts';

/**
 * The payment of a request. A route reads it here, once, and passes the value on. A call over MCP arrives with the payment
 * of its `_meta` in place of the header, so it is read here as well.
 */
export function offeredPayment({ header }: Pick<Exchange, 'header'>): PaymentReading {
  return readPayment({ paymentSignature: header('payment-signature'), xPayment: header('x-payment') });
}
