import ipaddr from 'ipaddr.js';
import { canonicalAddress } from '../url/public-address.ts';

/** The addresses that a request names. */
export interface Hops {
  /** The remote address of the socket. */
  readonly peer: string;
  readonly xForwardedFor: string | null;
  readonly forwarded: string | null;
}

/** Takes a canonical address. */
export type TrustedProxies = (canonical: string) => boolean;

/**
 * The caller's address (gap G03). Headers count only behind a trusted proxy: the right-most hop that is not a trusted proxy
 * is the caller, because the caller can forge everything further left.
 */
export function callerAddress(
  { peer, xForwardedFor, forwarded }: Hops,
  isTrusted: TrustedProxies,
): string | null {
  const direct = readHop(peer);
  if (direct === null || !isTrusted(direct)) return direct;
  const header = xForwardedFor === null ? forwardedFor(forwarded ?? '') : xForwardedFor;
  let nearest = direct;
  for (let end = header.length; end > 0; ) {
    const comma = header.lastIndexOf(',', end - 1);
    const hop = readHop(header.slice(comma + 1, end).trim());
    if (hop === null) return nearest; // Nothing left of an unreadable hop can be trusted.
    nearest = hop;
    if (!isTrusted(hop)) return hop;
    end = comma;
  }
  return nearest;
}

/** Addresses and CIDR blocks from the operator's settings; `unreadable` lists the invalid entries. */
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

/** Strict: some parsers read '10/8' and '010.0.0.0/8' as other blocks. */
function readRange(entry: string): Range | null {
  const match = RANGE.exec(entry);
  const base = canonicalAddress(match?.[1] ?? '');
  if (base === null || base.includes(':') !== entry.includes(':')) return null;
  const isIpv6 = base.includes(':');
  const bitsMax = isIpv6 ? 128 : 32;
  const bits = Number(match?.[2] ?? bitsMax);
  if (bits > bitsMax) return null;
  return isIpv6 ? ipv6Range(base, bits) : ipv4Range(base, bits);
}

function ipv6Range(base: string, bits: number): Range {
  const first = ipaddr.IPv6.parse(base);
  return (canonical) => canonical.includes(':') && ipaddr.IPv6.parse(canonical).match(first, bits);
}

/** Every request asks about its peer and its hops, so numbers are compared and nothing is parsed. */
function ipv4Range(base: string, bits: number): Range {
  // Shifting by 32 would shift by 0.
  const mask = bits === 0 ? 0 : -1 << (32 - bits);
  const first = ipv4Number(base) & mask;
  return (canonical) => !canonical.includes(':') && (ipv4Number(canonical) & mask) === first;
}

function ipv4Number(canonical: string): number {
  let whole = 0;
  let part = 0;
  for (let at = 0; at < canonical.length; at += 1) {
    const code = canonical.charCodeAt(at);
    if (code === DOT) {
      whole = (whole << 8) | part;
      part = 0;
    } else part = part * 10 + code - ZERO;
  }
  return (whole << 8) | part;
}

const DOT = 46;
const ZERO = 48;

const RANGE = /^([0-9a-fA-F:.]+)(?:\/([0-9]{1,3}))?$/;

/** An IPv4 address inside an IPv6 one, in brackets and with a port, is shorter. */
const HOP_MAX_CHARS = 64;

/** '192.0.2.1', '192.0.2.1:4711', '2001:db8::1', '[2001:db8::1]:4711'; the port is dropped. */
function readHop(text: string): string | null {
  if (text.length > HOP_MAX_CHARS) return null;
  return (
    canonicalAddress(text) ?? canonicalAddress(text.replace(BRACKETED, '$1').replace(IPV4_WITH_PORT, '$1'))
  );
}

const BRACKETED = /^\[([0-9a-fA-F:.]{2,45})\](?::[0-9]{1,5})?$/;
const IPV4_WITH_PORT = /^([0-9.]{7,15}):[0-9]{1,5}$/;

/** The `for` parameters of RFC 7239, comma-separated as in X-Forwarded-For. */
function forwardedFor(header: string): string {
  return header
    .split(',')
    .map((element) => FOR_PARAMETER.exec(element)?.[1] ?? '')
    .join(',');
}

const FOR_PARAMETER = /(?:^|;)[ \t]*for="?([^";,\s]*)"?/i;
