import { paymentHeader, type SignedAuthorization } from '../../../tools/signed-payment.ts';
import type { Sent } from '../running/running-service.ts';
import { type Document, documentOf, encoded, withPayment } from './paying-buyer.ts';

/** Other ways to write one and the same payment. */
export const ENCODINGS: readonly [how: string, write: (signed: SignedAuthorization) => Sent][] = [
  ['with blanks', (signed) => inBase64(JSON.stringify(newer(signed), null, 4))],
  ['in another order', (signed) => withPayment(encoded(reversed(newer(signed))))],
  ['without padding', (signed) => withPayment(withPadding(newer(signed)).replace(/=+$/, ''))],
  ['in base64url', (signed) => withPayment(Buffer.from(JSON.stringify(newer(signed))).toString('base64url'))],
  ['in capitals', (signed) => withPayment(encoded(spelled(newer(signed), (text) => text.toUpperCase())))],
  [
    'in small letters',
    (signed) => withPayment(encoded(spelled(newer(signed), (text) => text.toLowerCase()))),
  ],
  ['with a member of no meaning', (signed) => withPayment(encoded({ ...newer(signed), note: { a: [1] } }))],
  ['as version 1', (signed) => withPayment(paymentHeader(signed, { version: 1 }), { version: 1 })],
  ['as version 1 in the newer header', (signed) => withPayment(paymentHeader(signed, { version: 1 }))],
  ['as version 2 in the older header', (signed) => withPayment(paymentHeader(signed), { version: 1 })],
];

function newer(signed: SignedAuthorization): Document {
  return documentOf(paymentHeader(signed));
}

function inBase64(text: string): Sent {
  return withPayment(Buffer.from(text).toString('base64'));
}

/** Made longer until its base64 ends in padding. */
function withPadding(document: Document): string {
  const header = encoded(document);
  return header.endsWith('=') ? header : withPadding({ ...document, note: `${document.note ?? ''}x` });
}

function reversed(value: Document): Document {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, reversed(inner)]);
  return Object.fromEntries(entries.reverse());
}

/** All that is hexadecimal, spelled so; its 0x stays. */
function spelled(document: Document, spell: (text: string) => string): Document {
  const hex = (text: string) => `0x${spell(text.slice(2))}`;
  const { signature, authorization } = document.payload;
  const { from, to, nonce } = authorization;
  const payload = {
    signature: hex(signature),
    authorization: { ...authorization, from: hex(from), to: hex(to), nonce: hex(nonce) },
  };
  return { ...document, payload };
}
