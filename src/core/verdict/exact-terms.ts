import { isSameAddress } from '../x402/address.ts';
import { parseNetwork } from '../x402/networks.ts';
import { isSameText, readTransfer } from '../x402/offer.ts';
import type { Payment } from '../x402/payment-payload.ts';
import { type JsonObject, member } from '../x402/read-json.ts';
import type { Terms } from '../x402/terms.ts';

/** True for an offer, in either version, that asks for exactly the approved terms. */
export function asksForExactly(
  offer: JsonObject,
  terms: Pick<Terms, 'network' | 'asset' | 'payTo' | 'amountAtomic'>,
): boolean {
  const amount = member(offer, 'amount') ?? member(offer, 'maxAmountRequired');
  const { network, asset, payTo } = offer;
  return (
    member(offer, 'scheme') === 'exact' &&
    typeof network === 'string' &&
    parseNetwork(network) === terms.network &&
    amount === terms.amountAtomic.toString() &&
    isSameText(asset, terms.asset) &&
    isSameText(payTo, terms.payTo) &&
    readTransfer(offer) !== 'other_method'
  );
}

/** The longest validity of a payment that we sign ourselves. */
const LIFE_MAX_SECONDS = 3_600;

/** Checks what was signed, independently of what was asked for. */
export function paysExactly(
  { network, scheme, authorization }: Payment,
  terms: Pick<Terms, 'network' | 'payTo' | 'amountAtomic'>,
  now: Date,
  lifeMaxSeconds: number = LIFE_MAX_SECONDS,
): boolean {
  const { to, value, validBefore } = authorization;
  return (
    network === terms.network &&
    scheme === 'exact' &&
    isSameAddress(to, terms.payTo) &&
    value === terms.amountAtomic &&
    validBefore <= BigInt(Math.floor(now.getTime() / 1_000) + lifeMaxSeconds)
  );
}
