import ipaddr from 'ipaddr.js';
import { ipv4Number } from '../url/ipv4-number.ts';
import { canonicalAddress } from '../url/public-address.ts';

/** What a connection says about where it comes from. */
export interface Hops {
  /** The socket's other end. */
  readonly peer: string;
  readonly xForwardedFor: string | null;
  readonly forwarded: string | null;
}

/** Of an address in its one spelling. */
export type TrustedProxies = (canonical: string) => boolean;

const HOPS_MAX_CHARS = 2_048;

/**
 * The caller's address (gap G03). Headers count only behind a proxy we know, and of them the right-most hop that is not
 * such a proxy: everything further left was written by whoever it is about.
 */
export function callerAddress(
  { peer, xForwardedFor, forwarded }: Hops,
  isTrusted: TrustedProxies,
): string | null {
  const direct = readHop(peer);
  if (direct === null || !isTrusted(direct)) return direct;
  const header = xForwardedFor === null ? forwardedFor(forwarded ?? '') : xForwardedFor;
  if (header.length > HOPS_MAX_CHARS) return direct;
  let nearest = direct;
  for (let end = header.length; end >= 0; ) {
    const comma = end === 0 ? -1 : header.lastIndexOf(',', end - 1);
    const hop = readHop(header.slice(comma + 1, end).trim());
    if (hop === null) return nearest; // An unreadable hop ends what can be believed, and the reading.
    nearest = hop;
    if (!isTrusted(hop)) return hop;
    end = comma;
  }
  return nearest;
}

/** Addresses and CIDR blocks from the operator's settings; the ones that cannot be read come back by name. */
export function trustedProxies(entries: readonly string[]): {
  trusts: TrustedProxies;
  unreadable: readonly string[];
} {
  const ranges = entries.map((entry) => ({ entry, range: readRange(entry) }));
  const known = ranges.flatMap(({ range }) => (range === null ? [] : [range]));
  return {
    trusts: (canonical) => known.some((contains) => contains(canonical)),
    unreadable: ranges.flatMap(({ entry, range }) => (range === null ? [entry] : [])),
  };
}

/** Says whether a canonical address is in the block. */
type Range = (canonical: string) => boolean;

/** Strict about spelling: '10/8' and '010.0.0.0/8' mean other blocks than they seem to. */
function readRange(entry: string): Range | null {
  const match = RANGE.exec(entry);
  const base = canonicalAddress(match?.[1] ?? '');
  if (base === null || base.includes(':') !== entry.includes(':')) return null;
  const bits = Number(match?.[2] ?? (base.includes(':') ? 128 : 32));
  return base.includes(':') ? ipv6Range(base, bits) : ipv4Range(base, bits);
}

/** By arithmetic, because it runs for every request behind a proxy. */
function ipv4Range(base: string, bits: number): Range | null {
  if (bits > 32) return null;
  const size = 2 ** (32 - bits);
  const blockOf = (address: string) => Math.floor((ipv4Number(address) ?? Number.NaN) / size);
  const block = blockOf(base);
  return (canonical) => blockOf(canonical) === block;
}

function ipv6Range(base: string, bits: number): Range | null {
  if (bits > 128) return null;
  const parsed = ipaddr.IPv6.parse(base);
  return (canonical) => canonical.includes(':') && ipaddr.IPv6.parse(canonical).match(parsed, bits);
}

const RANGE = /^([0-9a-fA-F:.]+)(?:\/([0-9]{1,3}))?$/;

/** '192.0.2.1', '192.0.2.1:4711', '2001:db8::1', '[2001:db8::1]:4711'; the port is dropped, it names no caller. */
function readHop(text: string): string | null {
  // Most are written plainly, and then there is nothing to take off.
  return (
    canonicalAddress(text) ?? canonicalAddress(text.replace(BRACKETED, '$1').replace(IPV4_WITH_PORT, '$1'))
  );
}

const BRACKETED = /^\[([0-9a-fA-F:.]{2,45})\](?::[0-9]{1,5})?$/;
const IPV4_WITH_PORT = /^([0-9.]{7,15}):[0-9]{1,5}$/;

/** The `for` parameters of RFC 7239, in the comma-separated form of its older sibling. */
function forwardedFor(header: string): string {
  return header
    .split(',')
    .map((element) => FOR_PARAMETER.exec(element)?.[1] ?? '')
    .join(',');
}

const FOR_PARAMETER = /(?:^|;)[ \t]*for="?([^";,\s]*)"?/i;
