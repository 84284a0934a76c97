import { decodeBase64Text, encodeBase64Text } from '../../core/x402/base64.ts';
import { type JsonObject, parseJson } from '../../core/x402/read-json.ts';
import { type ClientPayment, isPaymentKey, PAYMENT_KEYS, type PaymentKey } from './mcp-message.ts';

/** How a payment stands in `_meta`: the keys of it, and whether as an object or as the text of the HTTP header. */
export type PaymentForm = readonly PaymentPlace[];

interface PaymentPlace {
  readonly key: PaymentKey;
  readonly isText: boolean;
}

/** For a server of which neither key nor form is known: a payment pays once, wherever it stands and however often it comes. */
export const EVERY_FORM: readonly PaymentForm[] = [
  everywhere({ isText: false }),
  everywhere({ isText: true }),
];

function everywhere({ isText }: Pick<PaymentPlace, 'isText'>): PaymentForm {
  return PAYMENT_KEYS.map((key) => ({ key, isText }));
}

/** Null for a payment under another key: nobody knows who would read it. */
export function formOf(payments: readonly ClientPayment[]): PaymentForm | null {
  const form = payments.flatMap(({ key, value }) =>
    isPaymentKey(key) ? [{ key, isText: typeof value === 'string' }] : [],
  );
  return form.length === payments.length ? form : null;
}

export const UNKNOWN_KEY = `Payments are read under ${PAYMENT_KEYS.join(' and ')}; another key of _meta looks like one, and the call was not sent.`;

const BASE64 = /^[A-Za-z0-9+/_=-]*$/;

/** What a client put into `_meta`, as the headers that the guard reads: two must be the same payment. */
export function headersOf([first, second]: readonly ClientPayment[]): Record<string, string> {
  return {
    ...(first === undefined ? {} : { 'payment-signature': headerOf(first) }),
    ...(second === undefined ? {} : { 'x-payment': headerOf(second) }),
  };
}

/** What is no payment stays none. */
function headerOf({ value }: ClientPayment): string {
  if (typeof value === 'string' && BASE64.test(value)) return value;
  return encodeBase64Text(JSON.stringify(value));
}

export function inForm(header: string, form: PaymentForm): JsonObject {
  const document = parseJson(decodeBase64Text(header) ?? '');
  return Object.fromEntries(form.map(({ key, isText }) => [key, isText ? header : document]));
}
