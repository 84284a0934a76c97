import { hash } from 'node:crypto';
import type { Payment } from './payment-payload.ts';
import { BASE_USDC } from './usdc-on-base.ts';

/** What is bought, whichever door it is asked through (gap G69): the parameters in one order and one spelling. */
export interface Purchase {
  readonly operation: string;
  readonly parameters: readonly (string | null)[];
}

/** One name for a request, so that the same one is recognised (gap G63). */
export function purchaseKey({ operation, parameters }: Purchase): string {
  return hash('sha256', JSON.stringify([operation, ...parameters]), 'hex');
}

/** The name of a payment over all endpoints: a nonce can be spent once by its payer, whatever it is spent on. */
export function paymentKey({ network, authorization: { from, nonce } }: Payment): string {
  return [network, BASE_USDC.toLowerCase(), from, nonce].join('|');
}

/**
 * The signature takes part: naming a nonce must not bring somebody else's answer. After the settlement it is public, too; a
 * buyer's own name for the payment never is, so whoever sent one gets the answer again only with it.
 */
export function paidRequestKey(
  purchase: Purchase,
  { signature, authorization, identifier }: Payment,
): string {
  const { to, value, validAfter, validBefore } = authorization;
  const signed = [to, value, validAfter, validBefore, signature].map(String);
  return hash('sha256', JSON.stringify([purchaseKey(purchase), ...signed, identifier]), 'hex');
}
