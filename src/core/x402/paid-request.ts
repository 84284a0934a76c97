import { hash } from 'node:crypto';
import type { Payment } from './payment-payload.ts';
import { BASE_USDC } from './usdc-on-base.ts';

/** What is bought, over HTTP or MCP (gap G69): the parameters in canonical order and spelling. */
export interface Purchase {
  readonly operation: string;
  readonly parameters: readonly (string | null)[];
}

/** A fingerprint that identifies equal requests (gap G63). */
export function purchaseKey({ operation, parameters }: Purchase): string {
  return hash('sha256', JSON.stringify([operation, ...parameters]), 'hex');
}

/** Identifies a payment across all endpoints: a payer can spend a nonce once, whatever it buys. */
export function paymentKey({ network, authorization: { from, nonce } }: Payment): string {
  return [network, BASE_USDC.toLowerCase(), from, nonce].join('|');
}

/** Buyers choose their identifiers by themselves, so each payer has its own (gap G67). */
export function payerIdentifier({ identifier, authorization: { from } }: Payment): string | null {
  return identifier === null ? null : `${from}|${identifier}`;
}

/**
 * Includes the signature: knowing a nonce must not give access to somebody else's answer. After the settlement the signature is
 * public, too; a payment identifier never is, so a buyer that sent one needs it to get the answer again.
 */
export function paidRequestKey(
  purchase: Purchase,
  { signature, authorization, identifier }: Payment,
): string {
  const { to, value, validAfter, validBefore } = authorization;
  const signed = [to, value, validAfter, validBefore, signature].map(String);
  return hash('sha256', JSON.stringify([purchaseKey(purchase), ...signed, identifier]), 'hex');
}
