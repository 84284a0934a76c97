import ipaddr from 'ipaddr.js';
import { ipv4Number } from './ipv4-number.ts';
import { type AddressClass, IPV4_DENIED, IPV6_DENIED, IPV6_GLOBAL } from './special-ranges.ts';

/**
 * Says what an address is. Fails closed: what cannot be read for certain is 'unreadable', never 'public'. The port is
 * there for a policy that opens single places and nothing beside them.
 */
export type AddressPolicy = (address: string, port: number) => AddressClass;

/** The policy of the service: public addresses only, and none of its own. */
export function publicAddresses(ownAddresses: readonly string[]): AddressPolicy {
  const own = new Set(ownAddresses.map(canonicalAddress).filter((address) => address !== null));
  return (address) => (own.has(canonicalAddress(address) ?? '') ? 'own' : classifyAddress(address));
}

/**
 * Takes the canonical spellings that the URL parser and the resolver produce and no others: short, octal and
 * hexadecimal forms mean different addresses to different readers.
 */
export function classifyAddress(address: string): AddressClass {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return classifyIpv4(ipaddr.IPv4.parse(address));
  if (!address.includes('%') && ipaddr.IPv6.isValid(address)) return classifyIpv6(ipaddr.IPv6.parse(address));
  return 'unreadable';
}

/** One spelling per address, or null when it is none. */
export function canonicalAddress(address: string): string | null {
  // Plain IPv4 is its own spelling, and nearly every caller has such an address.
  if (ipv4Number(address) !== null) return address;
  return classifyAddress(address) === 'unreadable' ? null : ipaddr.process(address).toString();
}

const IPV4_RANGES = IPV4_DENIED.map(([cidr, name]) => ({ range: ipaddr.IPv4.parseCIDR(cidr), name }));
const IPV6_RANGES = IPV6_DENIED.map(([cidr, name]) => ({ range: ipaddr.IPv6.parseCIDR(cidr), name }));
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR(IPV6_GLOBAL);

function classifyIpv4(address: ipaddr.IPv4): AddressClass {
  return IPV4_RANGES.find(({ range }) => address.match(range))?.name ?? 'public';
}

function classifyIpv6(address: ipaddr.IPv6): AddressClass {
  if (!address.match(GLOBAL_UNICAST)) return 'not_global';
  return IPV6_RANGES.find(({ range }) => address.match(range))?.name ?? 'public';
}
