import ipaddr from 'ipaddr.js';
import { type AddressClass, IPV4_DENIED, IPV6_DENIED, IPV6_GLOBAL } from './special-ranges.ts';

/** Fails closed: an ambiguous address is 'unreadable', never 'public'. The port is for policies that open single ports. */
export type AddressPolicy = (address: string, port: number) => AddressClass;

/** The policy of the service: public addresses only, and none of its own. */
export function publicAddresses(ownAddresses: readonly string[]): AddressPolicy {
  const own = new Set(ownAddresses.map(canonicalAddress).filter((address) => address !== null));
  return (address) => (own.has(canonicalAddress(address) ?? '') ? 'own' : classifyAddress(address));
}

/** Accepts only four-part decimal IPv4: short, octal and hexadecimal forms mean different addresses to different parsers. */
export function classifyAddress(address: string): AddressClass {
  const parsed = parseAddress(address);
  if (parsed === null) return 'unreadable';
  return parsed instanceof ipaddr.IPv4 ? classifyIpv4(parsed) : classifyIpv6(parsed);
}

/** The canonical spelling of an address, with IPv4-mapped ones as IPv4; null when it is not an address. */
export function canonicalAddress(address: string): string | null {
  // Four decimal parts without leading zeros have one spelling. Every request asks, and a parser takes ten times as long.
  if (FOUR_PARTS.test(address)) return address;
  const parsed = parseIpv6(address);
  return parsed === null ? null : (parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed).toString();
}

const FOUR_PARTS =
  /^(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}$/;

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return parseIpv6(text);
}

function parseIpv6(text: string): ipaddr.IPv6 | null {
  return !text.includes('%') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null;
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
