import { isSameAddress } from '../x402/address.ts';
import { parseNetwork } from '../x402/networks.ts';
import type { Payment } from '../x402/payment-payload.ts';
import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
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
    typeof asset === 'string' &&
    isSameAddress(asset, terms.asset) &&
    typeof payTo === 'string' &&
    isSameAddress(payTo, terms.payTo) &&
    isPlainTransfer(member(offer, 'extra')) &&
    isSignedForAsset(offer, terms)
  );
}

/** Some clients take the contract and the chain that they sign for from `extra`, beside an asset that looks right. */
export function isSignedForAsset(offer: JsonObject, terms: Pick<Terms, 'network' | 'asset'>): boolean {
  const extra = member(offer, 'extra');
  if (!isJsonObject(extra)) return true;
  const contract = member(extra, 'verifyingContract') ?? null;
  const chainId = member(extra, 'chainId') ?? null;
  return (
    (contract === null || (typeof contract === 'string' && isSameAddress(contract, terms.asset))) &&
    (chainId === null || `eip155:${String(chainId)}` === terms.network)
  );
}

/** The other transfer method needs an allowance, which nobody gets. */
function isPlainTransfer(extra: unknown): boolean {
  const way = isJsonObject(extra) ? member(extra, 'assetTransferMethod') : undefined;
  return way === undefined || way === 'eip3009';
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
