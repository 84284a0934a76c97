import ipaddr from 'ipaddr.js';
import { canonicalAddress } from './public-address.ts';

/** Addresses that are tried when the first ones do not answer. */
const DIALLED_MAX = 3;
const IPV6_SITE_BYTES = 6;

/** What counts as one address (gap G101): an IPv4 address, or the /48 of an IPv6 address, which one site has. */
export function addressGroup(address: string): string {
  const canonical = canonicalAddress(address) ?? address;
  if (!canonical.includes(':')) return canonical;
  const site = ipaddr.parse(canonical).toByteArray().slice(0, IPV6_SITE_BYTES);
  return `${Buffer.from(site).toString('hex')}/48`;
}

/**
 * The addresses of a name that may be dialled, in the order of the resolver. Limits hold for each of them, so they are in two
 * groups at most.
 */
export function dialable(addresses: readonly string[]): readonly string[] {
  const [first = '', ...others] = addressGroups(addresses);
  // The other family where there is one: it helps where only one of them works.
  const other = others.find((group) => isIpv6(group) !== isIpv6(first)) ?? others[0];
  const chosen = new Set([first, other]);
  return addresses.filter((address) => chosen.has(addressGroup(address))).slice(0, DIALLED_MAX);
}

/** The groups of these addresses, each once; never more than two of dialable ones. */
export function addressGroups(addresses: readonly string[]): readonly string[] {
  return [...new Set(addresses.map(addressGroup))];
}

function isIpv6(group: string): boolean {
  return group.endsWith('/48');
}
