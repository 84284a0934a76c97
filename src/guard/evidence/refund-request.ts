import { readPayment } from '../../core/x402/payment-payload.ts';
import type { Purchase, PurchaseState } from '../ledger/purchase.ts';
import { sha256 } from '../sha256.ts';

export type RefundReason = 'service_not_delivered' | 'duplicate_payment';

/**
 * RefundRequest of the draft extension `refund`: specs/extensions/refund.md of x402-foundation/x402, commit 65806ba, read on
 * 2026-11-18. Without `payerSignature`, and without `refundTo`, which is the payer by default.
 */
export interface RefundRequest {
  readonly x402Version: 2;
  readonly paymentReference: {
    readonly txHash: string | null;
    readonly network: string;
    readonly paymentId?: string;
  };
  readonly amount: string;
  readonly reason: RefundReason;
  readonly reasonDetail: string;
  readonly idempotencyKey: string;
}

export interface RefundBecause {
  readonly reason: RefundReason;
  readonly transaction: string | null;
}

export function refundRequest(purchase: Purchase, { reason, transaction }: RefundBecause): RefundRequest {
  const { id, terms, authorization, payment } = purchase;
  const reading = readPayment({ paymentSignature: payment, xPayment: null });
  const paymentId = reading.kind === 'payment' ? reading.payment.identifier : null;
  return {
    x402Version: 2,
    paymentReference: {
      txHash: transaction,
      network: terms.network,
      ...(paymentId === null ? {} : { paymentId }),
    },
    amount: authorization === null ? terms.amount : String(authorization.value),
    reason,
    reasonDetail: reason === 'duplicate_payment' ? DUPLICATE : detailOf(purchase),
    idempotencyKey: keyOf(id),
  };
}

const DUPLICATE = 'The same request was paid for and answered by another payment.';

const DETAILS: Readonly<Partial<Record<PurchaseState, string>>> = {
  empty: 'The paid request was answered without content.',
  asked_again: 'The paid request was answered with another demand for payment.',
};

/** Our own words; of the seller's answer only the status. */
function detailOf({ state, answer, attempts }: Purchase): string {
  const detail = DETAILS[state];
  if (detail !== undefined) return detail;
  if (answer !== null) return `The paid request was answered with HTTP status ${answer.status}.`;
  const count = attempts.length === 1 ? 'once' : `${attempts.length} times`;
  return `The paid request was sent ${count} and got no answer.`;
}

/** A UUID (version 8) of the purchase: asking twice must not be a second request. */
function keyOf(id: string): string {
  const hex = sha256(`refund request|${id}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
