import { DEADLINE_MAX_SECONDS } from '../limits.ts';
import { isSameAddress } from './address.ts';
import { keySpellings, MONEY_KEYS, type OtherSpelling, otherSpellings } from './fold-key.ts';
import { type Caip2, parseNetwork } from './networks.ts';
import { isJsonObject, type JsonObject, member, textMember } from './read-json.ts';
import { parseUint256 } from './uint256.ts';
import { readValidBefore } from './valid-before.ts';

/** One readable entry of `accepts`, in either version of x402. Every string is a short ASCII token. */
export interface Offer {
  readonly scheme: string;
  /** Null when the seller names a network that has no CAIP-2 form; such a network equals no other. */
  readonly network: Caip2 | null;
  readonly asset: string;
  readonly amountAtomic: bigint;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number | null;
  /** The deadline for using the signature, in milliseconds UTC; null when the seller gives no usable time. */
  readonly validBeforeMs: number | null;
  /** A variant spelling of a money key has another value, which a lenient reader would use (gap L10). */
  readonly selfContradictory: boolean;
  /** How a client would sign it (gap G96). */
  readonly transfer: Transfer;
}

/** An EIP-3009 transfer, one that is valid for longer than a day, or another method. */
export type Transfer = 'ordinary' | 'too_long' | 'other_method';

const SCHEME = /^[A-Za-z0-9_-]{1,32}$/;
// Any short text: what has no CAIP-2 form becomes null, so the seller's spelling is not passed on.
const NETWORK = /^[\s\S]{1,128}$/;
// Wide enough for every chain's addresses and for asset names such as 'USD', too narrow for markup or look-alike letters.
const TOKEN = /^[A-Za-z0-9:._/-]{1,128}$/;

/** Reads one entry independently of broken neighbours (gap G35). */
export function readOffer(entry: unknown): Offer | null {
  if (!isJsonObject(entry)) return null;
  const scheme = textMember(entry, 'scheme', SCHEME);
  const network = textMember(entry, 'network', NETWORK);
  const asset = textMember(entry, 'asset', TOKEN);
  const payTo = textMember(entry, 'payTo', TOKEN);
  const amountAtomic = readAmount(entry);
  if (scheme === null || network === null || asset === null || payTo === null || amountAtomic === null)
    return null;
  const offer = {
    scheme,
    network: parseNetwork(network),
    asset,
    amountAtomic,
    payTo,
    maxTimeoutSeconds: readTimeout(entry),
    validBeforeMs: readValidBefore(entry),
    transfer: readTransfer(entry),
  };
  return { selfContradictory: contradictedKeys(entry, offer).length > 0, ...offer };
}

/** The keys of which the entry has another spelling with another value. */
export function contradictedKeys(entry: JsonObject, demand: Demand): readonly string[] {
  return otherSpellings(entry, MONEY_SPELLINGS)
    .filter((other) => !agrees(other, demand))
    .map(({ key }) => key);
}

export const MONEY_SPELLINGS = keySpellings(MONEY_KEYS);

/** Null for what cannot be read, which nothing agrees with. */
type Demand = {
  readonly [Member in 'scheme' | 'network' | 'asset' | 'amountAtomic' | 'payTo']: Offer[Member] | null;
};

/** As readers take it that find `pay_to` or `PAYTO` where there is no `payTo`: the first of several, or the last. */
export function lenientReadings(entry: JsonObject): readonly JsonObject[] {
  const others = otherSpellings(entry, MONEY_SPELLINGS)
    .filter(({ key, value }) => value !== null && !member(entry, key))
    .map(({ key, value }) => [key, value] as const);
  return [others, others.toReversed()].map((found) => ({ ...entry, ...Object.fromEntries(found) }));
}

function agrees({ key, value }: OtherSpelling, demand: Demand): boolean {
  if (value === null) return true;
  if (key === 'amount' || key === 'maxAmountRequired')
    return (atomic(value) ?? false) === demand.amountAtomic;
  if (key === 'maxTimeoutSeconds') return !isTooLong(value);
  if (typeof value !== 'string') return false;
  if (key === 'network') return demand.network !== null && parseNetwork(value) === demand.network;
  if (key === 'scheme') return value === demand.scheme;
  return isSameAddress(value, (key === 'payTo' ? demand.payTo : demand.asset) ?? '');
}

/** Every reader would sign the same payment. */
export function isSameDemand(left: Offer, right: Offer): boolean {
  return (
    !right.selfContradictory &&
    left.scheme === right.scheme &&
    left.network === right.network &&
    left.amountAtomic === right.amountAtomic &&
    isSameAddress(left.asset, right.asset) &&
    isSameAddress(left.payTo, right.payTo)
  );
}

/** `amount`, else `maxAmountRequired`, in either version; null when they differ (gap G33). One that is null is absent. */
export function readAmount(entry: JsonObject): bigint | null {
  const maximum = member(entry, 'maxAmountRequired') ?? null;
  const read = atomic(member(entry, 'amount') ?? maximum);
  return maximum === null || atomic(maximum) === read ? read : null;
}

function atomic(value: unknown): bigint | null {
  // A whole JSON number means the same to every wallet, and honest sellers send it (gap L01).
  return parseUint256(typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value);
}

export function readTransfer(entry: JsonObject): Transfer {
  if (isTooLong(member(entry, 'maxTimeoutSeconds'))) return 'too_long';
  const extra = member(entry, 'extra');
  // Some clients read the method from a list, too.
  const isMethod = Array.isArray(extra) ? extra.length > 0 : isJsonObject(extra) && !isPlain(entry, extra);
  return isMethod ? 'other_method' : 'ordinary';
}

/** Clients add it to the time without looking at its type: "60" makes a signature valid for thousands of years. */
export function isTooLong(seconds: unknown): boolean {
  if (typeof seconds === 'number') return seconds > DEADLINE_MAX_SECONDS;
  return seconds !== undefined && seconds !== null;
}

/**
 * An EIP-3009 authorization for the token and chain that the entry names, which the seller takes with its answer. Some clients
 * sign for the contract and the chain in `extra`, beside an asset that looks right, or a standing permit if it names that.
 */
function isPlain(entry: JsonObject, extra: JsonObject): boolean {
  const named = (key: string) => member(extra, key) ?? null;
  const [contract, chainId] = [named('verifyingContract'), named('chainId')];
  return (
    PLAIN_EXTRA.every(([key, plain]) => [null, plain].includes(named(key))) &&
    (contract === null || isSameText(contract, member(entry, 'asset'))) &&
    (chainId === null || isChainOf(chainId, member(entry, 'network')))
  );
}

const PLAIN_EXTRA: readonly (readonly [key: string, plain: unknown])[] = [
  ['assetTransferMethod', 'eip3009'],
  ['primaryType', 'TransferWithAuthorization'],
  ['paymentFlow', 'authorization'],
];

/** The same address, where both are texts. */
export function isSameText(left: unknown, right: unknown): boolean {
  return typeof left === 'string' && typeof right === 'string' && isSameAddress(left, right);
}

function isChainOf(chainId: unknown, network: unknown): boolean {
  return typeof network === 'string' && parseNetwork(network) === `eip155:${String(chainId)}`;
}

function readTimeout(entry: JsonObject): number | null {
  const seconds = member(entry, 'maxTimeoutSeconds');
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
}
