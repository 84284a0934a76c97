import { parseUsdNumber } from '../../core/money/micro-usd.ts';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import { isSameAddress } from '../../core/x402/address.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import { isJsonObject, type JsonObject, member } from '../../core/x402/read-json.ts';

/**
 * Whether a receipt is of a check that this question would have ordered, too: one without a claim, or with the same. Anybody can
 * order a check that expects what a thief asks for, or that sends an input of his own.
 */
export function isSameCheck(live: JsonObject, asked: Partial<Claim>): boolean {
  const [expected, input] = [member(live, 'expected'), member(live, 'input') ?? null];
  if (!isJsonObject(expected)) return false;
  if (input !== null && !(isJsonObject(input) && member(input, 'source') !== 'caller')) return false;
  const source = member(expected, 'source');
  // Null: nobody claims anything about the endpoint.
  if (source === 'listing' || source === null) return true;
  return source === 'request' && isExpectedBy(asked, readClaim(expected), readListing(live));
}

/** A service compares with what is claimed, and with the listing where the claim says nothing. */
function isExpectedBy(asked: Partial<Claim>, expected: Claim | null, listing: Claim | null): boolean {
  if (expected === null || listing === null) return false;
  const { price, payTo, network } = expected;
  return (
    price === (asked.price ?? listing.price) &&
    network === (asked.network ?? listing.network) &&
    isSamePayee(payTo, asked.payTo ?? listing.payTo)
  );
}

function isSamePayee(left: string | null, right: string | null): boolean {
  return left === null || right === null ? left === right : isSameAddress(left, right);
}

function readListing(live: JsonObject): Claim | null {
  const listing = member(live, 'listing');
  if (listing === null) return { price: null, payTo: null, network: null };
  return isJsonObject(listing) ? readClaim(listing) : null;
}

/** Null when a member is missing or cannot be read: it is not the same as a claim that says nothing. */
function readClaim(json: JsonObject): Claim | null {
  const price = readMember(json, 'claimed_price_usd', (value) =>
    typeof value === 'number' ? parseUsdNumber(value) : null,
  );
  const payTo = readMember(json, 'pay_to', (value) => (typeof value === 'string' ? value : null));
  const network = readMember(json, 'network', (value) =>
    typeof value === 'string' ? parseNetwork(value) : null,
  );
  if (price === undefined || payTo === undefined || network === undefined) return null;
  return { price, payTo, network };
}

/** Undefined when it cannot be read. */
function readMember<T>(json: JsonObject, name: string, read: (value: unknown) => T | null) {
  const value = member(json, name);
  return value === null ? null : (read(value) ?? undefined);
}
