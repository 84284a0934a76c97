import ipaddr from 'ipaddr.js';
import { canonicalAddress } from '../url/public-address.ts';

/** What a connection says about where it comes from. */
export interface Hops {
  /** The socket's other end. */
  readonly peer: string;
  readonly xForwardedFor: string | null;
  readonly forwarded: string | null;
}

export type TrustedProxies = (address: string) => boolean;

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
  for (const text of header.split(',').toReversed()) {
    const hop = readHop(text.trim());
    if (hop === null) return nearest; // An unreadable hop ends what can be believed, and the reading.
    nearest = hop;
    if (!isTrusted(hop)) return hop;
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
    trusts: (address) => {
      const canonical = canonicalAddress(address);
      if (canonical === null) return false;
      const parsed = ipaddr.parse(canonical);
      return known.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits));
    },
    unreadable: ranges.flatMap(({ entry, range }) => (range === null ? [entry] : [])),
  };
}

/** Strict about spelling: '10/8' and '010.0.0.0/8' mean other blocks than they seem to. */
function readRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const match = RANGE.exec(entry);
  const base = canonicalAddress(match?.[1] ?? '');
  if (base === null || base.includes(':') !== entry.includes(':')) return null;
  const parsed = ipaddr.parse(base);
  const width = parsed.kind() === 'ipv4' ? 32 : 128;
  const bits = Number(match?.[2] ?? width);
  return bits <= width ? [parsed, bits] : null;
}

const RANGE = /^([0-9a-fA-F:.]+)(?:\/([0-9]{1,3}))?$/;

/** '192.0.2.1', '192.0.2.1:4711', '2001:db8::1', '[2001:db8::1]:4711'; the port is dropped, it names no caller. */
function readHop(text: string): string | null {
  return canonicalAddress(text.replace(BRACKETED, '$1').replace(IPV4_WITH_PORT, '$1'));
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
