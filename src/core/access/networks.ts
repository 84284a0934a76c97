import ipaddr from 'ipaddr.js';
import { canonicalAddress } from '../url/public-address.ts';

/** Where a caller is, as far as limits are concerned. */
export interface Networks {
  /** One household or one virtual machine: an IPv4 address, or the /64 of an IPv6 address. */
  readonly prefix: string;
  /** The /48 of an IPv6 address, which is what one customer of a provider gets; null for IPv4. */
  readonly wide: string | null;
}

/** A /48 has 65,536 prefixes: all of them together get ten times what one address gets (gap G102). */
export const WIDE_FACTOR = 10;

export function networksOf(address: string): Networks {
  const canonical = canonicalAddress(address); // ::ffff:192.0.2.1 is 192.0.2.1
  if (canonical === null) return { prefix: 'unknown', wide: null };
  if (!canonical.includes(':')) return { prefix: canonical, wide: null };
  const prefix = Buffer.from(ipaddr.parse(canonical).toByteArray().slice(0, 8)).toString('hex');
  return { prefix, wide: prefix.slice(0, WIDE_HEX_DIGITS) };
}

const WIDE_HEX_DIGITS = 12;
