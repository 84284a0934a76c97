import { type Payment, type PaymentHeaders, readPayment } from '../../core/x402/payment-payload.ts';
import type { Call } from '../call/call.ts';
import { refuseOtherCaller } from '../call/refuse-other-caller.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { Guarding } from '../guarding.ts';
import { type Purchase, RESERVED_FOR_MS } from '../ledger/purchase.ts';
import { amountOf } from '../ledger/purchase-terms.ts';
import { entryPaidBy, isSamePayment, paymentToSend, type SentPayment } from '../payment/signed-payment.ts';

export type Taken =
  /** Written down, and now to be sent. */
  | { readonly kind: 'signed'; readonly purchase: Purchase; readonly sent: SentPayment }
  /** The purchase has this payment already; it is sent once more. */
  | { readonly kind: 'again'; readonly purchase: Purchase }
  /** Another payment was signed for the purchase before; this one is dropped. */
  | { readonly kind: 'second'; readonly purchase: Purchase };

/** Reads what the payer signed. Two headers with two payments are nothing that was approved. */
export function paymentIn(headers: PaymentHeaders): Payment {
  const reading = readPayment(headers);
  if (reading.kind !== 'payment') throw new GuardRefused('something_else_was_signed');
  return reading.payment;
}

/**
 * Holds a signed payment against what was approved, and writes it down before it can leave the process. What this process has just
 * shown the payer need not be read again: the ledger moves it on only if it is still reserved.
 */
export async function takePayment(
  guarding: Guarding,
  call: Call,
  { payment, shown }: { readonly payment: Payment; readonly shown: Purchase | null },
): Promise<Taken> {
  const signed = shown === null ? null : await signFor(guarding, shown, payment);
  if (signed !== null) return signed;
  const purchase = await guarding.ledger.open(call.key);
  if (purchase === null) throw new GuardRefused('not_approved');
  refuseOtherCaller(call, purchase);
  if (purchase.authorization !== null) return takenBefore(payment, purchase);
  const now = await signFor(guarding, purchase, payment);
  if (now !== null) return now;
  const other = await guarding.ledger.open(call.key);
  if (other === null) throw new GuardRefused('not_approved', { purchaseId: purchase.id });
  refuseOtherCaller(call, other);
  return takenBefore(payment, other);
}

function takenBefore(payment: Payment, purchase: Purchase): Taken {
  return { kind: isSamePayment(payment, purchase) ? 'again' : 'second', purchase };
}

/** Null when the purchase is no longer reserved. */
async function signFor(guarding: Guarding, purchase: Purchase, payment: Payment): Promise<Taken | null> {
  const now = guarding.now();
  const purchaseId = purchase.id;
  if (now.getTime() - purchase.createdAt.getTime() > RESERVED_FOR_MS) {
    throw new GuardRefused('not_approved', {
      purchaseId,
      words: 'The approval of this payment has expired.',
    });
  }
  const { lifeMaxSeconds } = guarding.policy;
  const entry = entryPaidBy(payment, purchase, { now, lifeMaxSeconds });
  if (entry === null) throw new GuardRefused('something_else_was_signed', { purchaseId });
  if (await guarding.ledger.frozen()) throw new GuardRefused('frozen', { purchaseId });
  const sent = paymentToSend(payment, entry, purchaseId);
  const facts = {
    terms: entry.terms,
    termsSha256: entry.termsSha256,
    amount: amountOf(entry.terms),
    authorization: payment.authorization,
    payment: sent.value,
    attempts: [{ at: now.toISOString(), status: null }],
  };
  const move = { from: ['reserved'], to: 'signed', at: now, facts, durable: true } as const;
  const moved = await guarding.ledger.move(purchaseId, move);
  if (!moved) return null;
  return { kind: 'signed', purchase: { ...purchase, ...facts, state: 'signed', updatedAt: now }, sent };
}
