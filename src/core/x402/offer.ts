import { isSameAddress } from './address.ts';
import { type Caip2, parseNetwork } from './networks.ts';
import { isJsonObject, type JsonObject, member, textMember } from './read-json.ts';
import { parseUint256 } from './uint256.ts';

/** One readable entry of `accepts`, in either version of x402. Every string is a short ASCII token. */
export interface Offer {
  readonly scheme: string;
  /** Null when the seller names a network that has no CAIP-2 form; such a network equals no other. */
  readonly network: Caip2 | null;
  readonly asset: string;
  readonly amountAtomic: bigint;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number | null;
  /** When the signature must be used, in milliseconds UTC; null when the seller gives no usable time. */
  readonly validBeforeMs: number | null;
}

const SCHEME = /^[A-Za-z0-9_-]{1,32}$/;
// Any short text: what has no CAIP-2 form becomes null, so the seller's spelling goes no further.
const NETWORK = /^[\s\S]{1,128}$/;
// Wide enough for every chain's addresses and for asset names such as 'USD', too narrow for markup or look-alike letters.
const TOKEN = /^[A-Za-z0-9:._/-]{1,128}$/;

/** Reads one entry on its own, so that a broken neighbour spoils nothing (gap G35). */
export function readOffer(entry: unknown): Offer | null {
  if (!isJsonObject(entry)) return null;
  const scheme = textMember(entry, 'scheme', SCHEME);
  const network = textMember(entry, 'network', NETWORK);
  const asset = textMember(entry, 'asset', TOKEN);
  const payTo = textMember(entry, 'payTo', TOKEN);
  const amountAtomic = readAmount(entry);
  if (scheme === null || network === null || asset === null || payTo === null || amountAtomic === null)
    return null;
  return {
    scheme,
    network: parseNetwork(network),
    asset,
    amountAtomic,
    payTo,
    maxTimeoutSeconds: readTimeout(entry),
    validBeforeMs: readValidBefore(entry),
  };
}

/** The same four facts would be signed. */
export function isSameDemand(left: Offer, right: Offer): boolean {
  return (
    left.network === right.network &&
    left.amountAtomic === right.amountAtomic &&
    isSameAddress(left.asset, right.asset) &&
    isSameAddress(left.payTo, right.payTo)
  );
}

/** `amount`, else `maxAmountRequired`, in either version; two that differ leave nothing to believe (gap G33). */
function readAmount(entry: JsonObject): bigint | null {
  const amount = member(entry, 'amount');
  const maximum = member(entry, 'maxAmountRequired');
  if (amount === undefined) return atomic(maximum);
  const read = atomic(amount);
  return maximum === undefined || atomic(maximum) === read ? read : null;
}

function atomic(value: unknown): bigint | null {
  // A whole JSON number has one meaning for every wallet, and careless but honest sellers send it (gap L01).
  return parseUint256(typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value);
}

function readTimeout(entry: JsonObject): number | null {
  const seconds = member(entry, 'maxTimeoutSeconds');
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
}

function readValidBefore(entry: JsonObject): number | null {
  const extra = member(entry, 'extra');
  const inExtra = isJsonObject(extra) ? instant(member(extra, 'validBefore')) : null;
  return instant(member(entry, 'validBefore')) ?? inExtra;
}

const UNIX_SECONDS = /^(0|[1-9][0-9]{0,11})$/;
const ISO_INSTANT =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$/;
// The end of the year 9999: later instants do not print as ISO 8601, so they cannot be a deadline.
const LAST_UNIX_SECOND = 253_402_300_799;

function instant(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return null;
  if (UNIX_SECONDS.test(text)) {
    const seconds = Number(text);
    return seconds <= LAST_UNIX_SECOND ? seconds * 1_000 : null;
  }
  const parsed = ISO_INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}
