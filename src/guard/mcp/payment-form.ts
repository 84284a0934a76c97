import { decodeBase64Text, encodeBase64Text } from '../../core/x402/base64.ts';
import { parseJson } from '../../core/x402/read-json.ts';

/** Some servers take a payment only as an object, others only as the text of the HTTP header. */
export type PaymentForm = 'object' | 'text';

const BASE64 = /^[A-Za-z0-9+/_=-]*$/;

export function formOf(payment: unknown): PaymentForm {
  return typeof payment === 'string' ? 'text' : 'object';
}

/** What a client put into `_meta`, as the header that the guard reads. What is no payment stays none. */
export function headerOf(payment: unknown): string {
  if (typeof payment === 'string' && BASE64.test(payment)) return payment;
  return encodeBase64Text(JSON.stringify(payment));
}

export function inForm(header: string, form: PaymentForm): unknown {
  return form === 'text' ? header : parseJson(decodeBase64Text(header) ?? '');
}
