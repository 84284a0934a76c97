import { asksForExactly, paysExactly } from '../../core/verdict/exact-terms.ts';
import { encodeBase64Text } from '../../core/x402/base64.ts';
import { type Payment, readPayment } from '../../core/x402/payment-payload.ts';
import { isJsonObject, type JsonObject, member } from '../../core/x402/read-json.ts';
import type { ApprovedEntry, Purchase } from '../ledger/purchase.ts';
import { readTerms } from '../ledger/purchase-terms.ts';

/** The approved entry that this payment pays, to the payee and to the unit; null when it pays something else. */
export function entryPaidBy(
  payment: Payment,
  { approved }: Purchase,
  { now, lifeMaxSeconds }: { readonly now: Date; readonly lifeMaxSeconds: number },
): ApprovedEntry | null {
  const accepted = member(payment.document, 'accepted');
  // It could never be settled, and would keep its purchase open for nothing.
  if (Number(payment.authorization.validBefore) * 1_000 <= now.getTime()) return null;
  const found = approved.find(({ terms: kept }) => {
    const terms = readTerms(kept);
    if (terms === null || !paysExactly(payment, terms, now, lifeMaxSeconds)) return false;
    return payment.x402Version === 1 || (isJsonObject(accepted) && asksForExactly(accepted, terms));
  });
  return found ?? null;
}

/** A payment as it is sent: version 2 in PAYMENT-SIGNATURE, version 1 in X-PAYMENT. */
export interface SentPayment {
  readonly header: 'payment-signature' | 'x-payment';
  readonly value: string;
}

/**
 * The payment with the seller's own entry as `accepted`: servers compare it member by member, and the payer saw one with a
 * shorter lifetime.
 */
export function paymentToSend(payment: Payment, { entry }: ApprovedEntry, identifier: string): SentPayment {
  const { document, x402Version } = payment;
  const sent = x402Version === 1 ? document : withIdentifier({ ...document, accepted: entry }, identifier);
  return { header: headerOf(payment), value: encodeBase64Text(JSON.stringify(sent)) };
}

/** The payment of an open purchase, to be sent once more; null when the ledger no longer has it. */
export function keptPayment({ payment: value }: Purchase): SentPayment | null {
  const reading = readPayment({ paymentSignature: value, xPayment: null });
  return value === null || reading.kind !== 'payment' ? null : { header: headerOf(reading.payment), value };
}

function headerOf({ x402Version }: Payment): SentPayment['header'] {
  return x402Version === 2 ? 'payment-signature' : 'x-payment';
}

const IDENTIFIER = 'payment-identifier';

/** A seller that declares the extension can tell a repeated request from a second purchase. */
function withIdentifier(document: JsonObject, identifier: string): JsonObject {
  const extensions = member(document, 'extensions');
  const extension = isJsonObject(extensions) ? member(extensions, IDENTIFIER) : undefined;
  if (!isJsonObject(extensions) || !isJsonObject(extension)) return document;
  const info = member(extension, 'info');
  if (isJsonObject(info) && member(info, 'id') !== undefined) return document;
  const named = { ...extension, info: { ...(isJsonObject(info) ? info : {}), id: identifier } };
  return { ...document, extensions: { ...extensions, [IDENTIFIER]: named } };
}

export function isSamePayment(payment: Payment, { authorization }: Purchase): boolean {
  return (
    authorization !== null &&
    authorization.nonce === payment.authorization.nonce &&
    authorization.from === payment.authorization.from &&
    authorization.to === payment.authorization.to &&
    authorization.value === payment.authorization.value
  );
}
