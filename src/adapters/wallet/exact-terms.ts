import { isSameAddress } from '../../core/x402/address.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import { isJsonObject, type JsonObject, member } from '../../core/x402/read-json.ts';
import type { Terms } from '../../core/x402/terms.ts';

/** An offer of a seller, in either version, that asks for what was approved and for nothing else. */
export function asksForExactly(offer: JsonObject, terms: Terms): boolean {
  const amount = member(offer, 'amount') ?? member(offer, 'maxAmountRequired');
  const { network, asset, payTo } = offer;
  return (
    member(offer, 'scheme') === 'exact' &&
    typeof network === 'string' &&
    parseNetwork(network) === terms.network &&
    amount === terms.amountAtomic.toString() &&
    typeof asset === 'string' &&
    isSameAddress(asset, terms.asset) &&
    typeof payTo === 'string' &&
    isSameAddress(payTo, terms.payTo) &&
    isPlainTransfer(member(offer, 'extra'))
  );
}

/** The other way to pay needs a standing permission to spend, which nobody gets. */
function isPlainTransfer(extra: unknown): boolean {
  const way = isJsonObject(extra) ? member(extra, 'assetTransferMethod') : undefined;
  return way === undefined || way === 'eip3009';
}

/** The longest that a signed payment may stay good. */
const LIFE_MAX_SECONDS = 3_600n;

/** What was signed, whatever was asked for. */
export function paysExactly({ network, scheme, authorization }: Payment, terms: Terms, now: Date): boolean {
  const { to, value, validBefore } = authorization;
  return (
    network === terms.network &&
    scheme === 'exact' &&
    isSameAddress(to, terms.payTo) &&
    value === terms.amountAtomic &&
    validBefore <= BigInt(Math.floor(now.getTime() / 1_000)) + LIFE_MAX_SECONDS
  );
}
