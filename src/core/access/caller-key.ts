import ipaddr from 'ipaddr.js';
import { keyedHash } from '../keyed-hash.ts';
import { canonicalAddress } from '../url/public-address.ts';

/** Who is asking, as far as quotas are concerned. Names are already lower-case. */
export interface Caller {
  readonly address: string;
  readonly client: string | null;
}

/**
 * A name alone identifies nobody (gap G01): it can neither multiply a caller's quota nor burn somebody else's.
 * Keys are keyed hashes, so that the store never holds an address. A caller without a name gets the key of its address.
 */
export function callerKey({ address, client }: Caller, secret: string): string {
  if (client === null) return addressKey(address, secret);
  return keyedHash(['caller', networkPrefix(address), client], secret);
}

/** All names of one address together (gap G02). */
export function addressKey(address: string, secret: string): string {
  return keyedHash(['address', networkPrefix(address)], secret);
}

/** Dry runs count by ref, else by client, else by address, as the interface says (gap G09). */
export function dryRunKey({ address, client }: Caller, ref: string | null, secret: string): string {
  if (ref !== null) return keyedHash(['dry-run', 'ref', ref], secret);
  if (client !== null) return keyedHash(['dry-run', 'client', client], secret);
  return addressKey(address, secret);
}

/** One household or one virtual machine: an IPv4 address, or the /64 of an IPv6 address. */
export function networkPrefix(address: string): string {
  const canonical = canonicalAddress(address); // ::ffff:192.0.2.1 is 192.0.2.1
  if (canonical === null) return 'unknown';
  if (!canonical.includes(':')) return canonical;
  return Buffer.from(ipaddr.parse(canonical).toByteArray().slice(0, 8)).toString('hex');
}
