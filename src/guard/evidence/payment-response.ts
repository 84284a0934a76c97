import { CHALLENGE_HEADER_MAX_CHARS } from '../../core/limits.ts';
import { decodeBase64Text } from '../../core/x402/base64.ts';
import { readPayment } from '../../core/x402/payment-payload.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/x402/read-json.ts';
import { guardKeys, scanJson } from '../../core/x402/scan-json.ts';

/** What the seller says about the settlement. Its word, not a proof. */
export interface PaymentResponse {
  /** The header as received; null when it is too long, or repeats the signature of the payment. */
  readonly text: string | null;
  /** Null when the text does not decode. */
  readonly decoded: JsonObject | null;
}

const KEYS = guardKeys(['success', 'transaction', 'network', 'payer']);

export function paymentResponseOf(text: string, payment: string | null): PaymentResponse {
  if (text.length > CHALLENGE_HEADER_MAX_CHARS) return { text: null, decoded: null };
  const json = decodeBase64Text(text);
  const decoded = json === null ? null : readObject(json);
  // The document too, because its text may spell the signature with escapes.
  const said = [text, json ?? '', decoded === null ? '' : JSON.stringify(decoded)];
  const isSecret = payment !== null && said.some((part) => repeats(part, payment));
  return isSecret ? { text: null, decoded: null } : { text, decoded };
}

/** Objects only, without repeated keys and not deeper than they can be written again. */
function readObject(json: string): JsonObject | null {
  const document = parseJson(json);
  return isJsonObject(document) && scanJson(json, KEYS) === 'clean' ? document : null;
}

/** Whoever has the signature can settle the payment, so what repeats it is not passed on. */
function repeats(text: string, payment: string): boolean {
  if (text.includes(payment)) return true;
  const reading = readPayment({ paymentSignature: payment, xPayment: null });
  const digits = reading.kind === 'payment' ? reading.payment.signature.slice(2) : null;
  return digits !== null && text.toLowerCase().includes(digits);
}
