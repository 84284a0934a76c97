import { PAYMENT_HEADER_MAX_CHARS } from '../limits.ts';
import { decodeBase64Text } from './base64.ts';
import { type Caip2, parseNetwork } from './networks.ts';
import { isJsonObject, type JsonObject, member, memberOf, parseJson, textMember } from './read-json.ts';
import { guardKeys, scanJson } from './scan-json.ts';
import { parseUint256 } from './uint256.ts';

/** The payment in PAYMENT-SIGNATURE or X-PAYMENT: either version in either header (gap G62). */
export type PaymentReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable'; readonly fault: PaymentFault }
  | { readonly kind: 'payment'; readonly payment: Payment };

export type PaymentFault =
  | 'bad_encoding'
  | 'bad_json'
  | 'bad_version'
  | 'bad_terms'
  | 'bad_authorization'
  /** The two headers carry different payments; neither is used. */
  | 'two_payments'
  /** The payment-identifier has the wrong form (gap G67). */
  | 'bad_identifier';

export interface Payment {
  readonly x402Version: 1 | 2;
  readonly scheme: string;
  readonly network: Caip2;
  readonly authorization: Authorization;
  readonly signature: string;
  /** The payer's address in the buyer's spelling, for display. */
  readonly payer: string;
  /** The buyer's identifier of this payment (gap G67). */
  readonly identifier: string | null;
  /** The document as sent: bounded and without repeated keys. Only the members above are validated. */
  readonly document: JsonObject;
}

/** An EIP-3009 transfer authorization. Hexadecimal members are lower-case, so equal payments are equal strings. */
export interface Authorization {
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: string;
}

export interface PaymentHeaders {
  readonly paymentSignature: string | null;
  readonly xPayment: string | null;
}

export function readPayment({ paymentSignature, xPayment }: PaymentHeaders): PaymentReading {
  const newer = readHeader(paymentSignature);
  const older = readHeader(xPayment);
  if (newer.kind === 'none') return older;
  if (newer.kind === 'payment' && older.kind === 'payment') {
    return isSamePayment(newer.payment, older.payment) ? newer : unreadable('two_payments');
  }
  return newer.kind === 'payment' && older.kind !== 'none' ? older : newer;
}

/** A payment from the stored text of its document. */
export function readKeptPayment(text: string): Payment | null {
  const document = parseJson(text);
  const reading = isJsonObject(document) ? readDocument(document) : null;
  return reading?.kind === 'payment' ? reading.payment : null;
}

export function keepPayment({ document }: Payment): string {
  return JSON.stringify(document);
}

const SCHEME = /^[a-z0-9-]{1,32}$/;
const NETWORK = /^[A-Za-z0-9:_-]{1,64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NONCE = /^0x[0-9a-fA-F]{64}$/;
// 65 bytes for an ordinary key; contract wallets wrap theirs, which can take a few kilobytes.
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2}){1,4096}$/;

const PAYMENT_KEYS = guardKeys([
  'x402Version',
  'payload',
  'accepted',
  'scheme',
  'network',
  'asset',
  'amount',
  'payTo',
  'signature',
  'authorization',
  'from',
  'to',
  'value',
  'validAfter',
  'validBefore',
  'nonce',
]);

function readHeader(header: string | null): PaymentReading {
  if (header === null || header === '') return { kind: 'none' };
  const text = header.length > PAYMENT_HEADER_MAX_CHARS ? null : decodeBase64Text(header);
  if (text === null) return unreadable('bad_encoding');
  const document = parseJson(text);
  if (!isJsonObject(document) || scanJson(text, PAYMENT_KEYS) !== 'clean') return unreadable('bad_json');
  return readDocument(document);
}

function readDocument(document: JsonObject): PaymentReading {
  const x402Version = member(document, 'x402Version');
  if (x402Version !== 1 && x402Version !== 2) return unreadable('bad_version');
  const chosen = x402Version === 2 ? member(document, 'accepted') : document;
  const scheme = textMember(chosen, 'scheme', SCHEME);
  const name = textMember(chosen, 'network', NETWORK);
  const network = name === null ? null : parseNetwork(name);
  if (scheme === null || network === null) return unreadable('bad_terms');
  const payload = member(document, 'payload');
  const signature = textMember(payload, 'signature', SIGNATURE);
  const signed = memberOf(payload, 'authorization');
  const authorization = readAuthorization(signed);
  const payer = textMember(signed, 'from', ADDRESS);
  if (signature === null || authorization === null || payer === null) return unreadable('bad_authorization');
  const identifier = readIdentifier(document);
  if (identifier === 'unreadable') return unreadable('bad_identifier');
  return {
    kind: 'payment',
    payment: {
      x402Version,
      scheme,
      network,
      authorization,
      signature: signature.toLowerCase(),
      payer,
      identifier: identifier?.id ?? null,
      document,
    },
  };
}

const IDENTIFIER = /^[A-Za-z0-9_-]{16,128}$/;

/** Null when the extension is absent, or repeats our offer without an identifier. */
function readIdentifier(document: JsonObject): { readonly id: string } | 'unreadable' | null {
  const extension = memberOf(member(document, 'extensions'), 'payment-identifier');
  if (extension === undefined || extension === null) return null;
  const info = memberOf(extension, 'info');
  if (!isJsonObject(info)) return 'unreadable';
  if (member(info, 'id') === undefined) return null;
  const id = textMember(info, 'id', IDENTIFIER);
  return id === null ? 'unreadable' : { id };
}

function readAuthorization(value: unknown): Authorization | null {
  const from = textMember(value, 'from', ADDRESS);
  const to = textMember(value, 'to', ADDRESS);
  const nonce = textMember(value, 'nonce', NONCE);
  const amount = parseUint256(memberOf(value, 'value'));
  const validAfter = parseUint256(memberOf(value, 'validAfter'));
  const validBefore = parseUint256(memberOf(value, 'validBefore'));
  if (from === null || to === null || nonce === null) return null;
  if (amount === null || validAfter === null || validBefore === null) return null;
  return {
    from: from.toLowerCase(),
    to: to.toLowerCase(),
    value: amount,
    validAfter,
    validBefore,
    nonce: nonce.toLowerCase(),
  };
}

const AUTHORIZATION_KEYS = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const;

/** The same signature over the same authorization is the same payment, in either version. */
function isSamePayment(left: Payment, right: Payment): boolean {
  return (
    left.network === right.network &&
    left.signature === right.signature &&
    AUTHORIZATION_KEYS.every((key) => left.authorization[key] === right.authorization[key])
  );
}

function unreadable(fault: PaymentFault): PaymentReading {
  return { kind: 'unreadable', fault };
}
