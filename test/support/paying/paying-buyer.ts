import { hash } from 'node:crypto';
import { expect } from 'vitest';
import type { SandboxAccount } from '../../../src/sandbox/chain/funded-accounts.ts';
import {
  paymentHeader,
  type SignedAuthorization,
  type Signing,
  signAuthorization,
} from '../../../tools/signed-payment.ts';
import type { Ask, Received, Sent } from '../running/running-service.ts';

export interface Buying {
  readonly buyer: SandboxAccount;
  readonly version?: 1 | 2;
  readonly sent?: Sent;
  readonly signing?: Partial<Signing>;
}

/** A purchase from the first question to the answer. */
export interface Purchase {
  readonly required: Received;
  readonly signed: SignedAuthorization;
  /** The request that carried the payment, for asking again. */
  readonly paid: Sent;
  readonly answer: Received;
}

/** Asks for the price, signs exactly that, and asks again. */
export async function buy(ask: Ask, path: string, buying: Buying): Promise<Purchase> {
  const { version = 2, sent = {} } = buying;
  const required = await ask(path, sent);
  const signed = await signFor(required, buying);
  const paid = withPayment(paymentHeader(signed, { version }), { version, sent });
  return { required, signed, paid, answer: await ask(path, paid) };
}

/** Signs what a 402 asks for, but for the changes. */
export async function signFor(
  required: Received,
  { buyer, signing = {} }: Pick<Buying, 'buyer' | 'signing'>,
): Promise<SignedAuthorization> {
  expect([required.status, required.json.error]).toEqual([402, 'Payment required']);
  const [{ payTo, amount }] = required.json.accepts;
  return signAuthorization({ key: buyer.key, to: payTo, value: BigInt(amount), ...signing });
}

/** The request with the payment in the header of that version. */
export function withPayment(
  header: string,
  { version = 2, sent = {} }: { readonly version?: 1 | 2; readonly sent?: Sent } = {},
): Sent {
  const name = version === 1 ? 'x-payment' : 'payment-signature';
  return { from: addressOf(header), ...sent, headers: { ...sent.headers, [name]: header } };
}

/** A buyer is at one address: elsewhere a payment that has brought its answer brings nothing (G97). */
function addressOf(header: string): string {
  const text = Buffer.from(header, 'base64').toString();
  const nonce = /"nonce":\s*"0x([0-9a-f]{64})"/i.exec(text)?.[1]?.toLowerCase() ?? header;
  const [high, low] = hash('sha256', nonce, 'buffer');
  return `198.18.${high}.${low}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a test changes whatever a payment holds.
export type Document = any;

/** The JSON inside a payment header, to be changed. */
export function documentOf(header: string): Document {
  return JSON.parse(Buffer.from(header, 'base64').toString());
}

export function encoded(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

/** Something to wait for until a test opens it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
