import { ACCEPTS_MAX_ENTRIES } from '../limits.ts';
import type { MicroUsd } from '../money/micro-usd.ts';
import { isNonEmpty } from '../non-empty.ts';
import { order } from '../order.ts';
import type { Claim } from '../verdict/expected-terms.ts';
import { isAddress, isAnyAddress, isSameAddress } from '../x402/address.ts';
import { type Caip2, MAINNETS, mainnetOf } from '../x402/networks.ts';
import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
import { firstRead } from './field-paths.ts';
import type { FieldPlaces } from './listing-fields.ts';
import { readListedNetwork } from './listing-network.ts';
import {
  isDollar,
  type NumberMeaning,
  readAmount,
  readAtomic,
  readUsd,
  unlessZero,
} from './listing-price.ts';

export interface ClaimPlaces {
  readonly fields: FieldPlaces;
  readonly numbers: NumberMeaning;
}

/** Price and payee according to an entry: from the chosen offer, else from what the list says beside the offers. */
export function readClaim(scopes: readonly JsonObject[], { fields, numbers }: ClaimPlaces): Claim {
  const offer = bestOffer(listedOffers(scopes, fields).map((entry) => listedOffer(entry, numbers)));
  const network = offer?.network ?? firstRead(scopes, fields.network, readListedNetwork);
  return {
    price: offer === null || offer.isSilent ? listPrice(scopes, fields) : offer.price,
    payTo: offer?.payTo ?? firstRead(scopes, fields.pay_to, (value) => readPayee(value, network)),
    network,
  };
}

/** The entries of `accepts` that are objects. */
export function listedOffers(scopes: readonly JsonObject[], { accepts }: FieldPlaces): JsonObject[] {
  const offers = firstRead(scopes, accepts, (value) => (Array.isArray(value) ? value : null)) ?? [];
  return offers.slice(0, ACCEPTS_MAX_ENTRIES).filter(isJsonObject);
}

interface ListedOffer {
  readonly isExact: boolean;
  readonly network: Caip2 | null;
  /** Null when it is not an amount of USDC on a supported network. */
  readonly price: MicroUsd | null;
  readonly payTo: string | null;
  /** Names no amount, so the price may be elsewhere in the entry. */
  readonly isSilent: boolean;
}

function listedOffer(entry: JsonObject, numbers: NumberMeaning): ListedOffer {
  const scheme = member(entry, 'scheme');
  const network = readListedNetwork(member(entry, 'network'));
  const amounts = ['amount', 'maxAmountRequired', 'price']
    .map((key) => member(entry, key))
    .filter((value) => value !== undefined && value !== null);
  const prices = new Set(amounts.map((value) => readAmount(value, numbers)));
  const [price = null] = prices;
  const payee = ['payTo', 'pay_to', 'recipient'].map((key) => readPayee(member(entry, key), network));
  return {
    isExact: typeof scheme !== 'string' || scheme === '' || scheme === 'exact',
    network,
    // Two amounts that differ count as none, as in a live challenge (gap G33).
    price: prices.size === 1 && isUsdc(member(entry, 'asset'), network) ? price : null,
    payTo: payee.find((payTo) => payTo !== null) ?? null,
    isSilent: amounts.length === 0,
  };
}

/** The canonical contract, or an entry that omits it or only names the coin. */
function isUsdc(asset: unknown, network: Caip2 | null): boolean {
  const mainnet = mainnetOf(network);
  if (mainnet === null) return false;
  if (typeof asset !== 'string' || asset === '') return true;
  return isSameAddress(asset, mainnet.usdc) || asset.toLowerCase() === 'usdc';
}

function readPayee(value: unknown, network: Caip2 | null): string | null {
  if (typeof value !== 'string') return null;
  const mainnet = mainnetOf(network);
  return (mainnet === null ? isAnyAddress(value) : isAddress(value, mainnet.addresses)) ? value : null;
}

/** Which offer the judge would take (gap G35): payable ones in our order of networks, then the cheaper one. */
function bestOffer(offers: readonly ListedOffer[]): ListedOffer | null {
  if (!isNonEmpty(offers)) return null;
  return offers.reduce((left, right) => (compare(left, right) <= 0 ? left : right));
}

function compare(left: ListedOffer, right: ListedOffer): number {
  return (
    Number(right.isExact) - Number(left.isExact) ||
    rankOf(left) - rankOf(right) ||
    order(left.price ?? 0n, right.price ?? 0n) ||
    order(`${left.network}|${left.payTo}`, `${right.network}|${right.payTo}`)
  );
}

function rankOf({ network, price, isSilent }: ListedOffer): number {
  const mainnet = mainnetOf(network);
  return mainnet === null || (price === null && !isSilent) ? MAINNETS.length : MAINNETS.indexOf(mainnet);
}

/** A range is not a price. */
function listPrice(scopes: readonly JsonObject[], fields: FieldPlaces): MicroUsd | null {
  const currency = firstRead(scopes, fields.currency, (value) => (typeof value === 'string' ? value : null));
  if (!isDollar(currency)) return null;
  const price = firstRead(scopes, fields.price_usd, readUsd);
  if (price !== null) return unlessZero(price);
  const [least, most] = [
    firstRead(scopes, fields.price_min, readUsd),
    firstRead(scopes, fields.price_max, readUsd),
  ];
  if (least !== null && least === most) return unlessZero(least);
  return unlessZero(firstRead(scopes, fields.price_atomic, readAtomic));
}
