import { presenterKey } from '../../core/access/caller-key.ts';
import { paymentKey } from '../../core/x402/paid-request.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PaymentLedger } from '../../ports/payment-ledger.ts';

export interface DeliveryPorts {
  readonly ledger: Pick<PaymentLedger, 'deliver'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly secret: string;
  readonly onFault: (fault: unknown) => void;
}

/** Called when a bought answer was written out completely. A record that fails leaves it undelivered: it is given out again. */
export async function recordDelivery(
  payment: Payment,
  address: string,
  { ledger, clock, secret, onFault }: DeliveryPorts,
): Promise<void> {
  try {
    await ledger.deliver(paymentKey(payment), presenterKey(address, secret), clock.now());
  } catch (fault) {
    onFault(fault);
  }
}
