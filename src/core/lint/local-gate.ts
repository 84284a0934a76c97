import ipaddr from 'ipaddr.js';
import { type GatePolicy, publicWeb } from '../url/gate.ts';
import { type AddressPolicy, canonicalAddress, classifyAddress } from '../url/public-address.ts';
import type { AddressClass } from '../url/special-ranges.ts';

/** The gate of a lint: the public web, as for the service. */
export function publicGate(): GatePolicy {
  return publicWeb({ addresses: classifyAddress, ownHosts: new Set() });
}

/**
 * The same with this machine and its private networks, for a seller who tests locally. It is opened on the command line and
 * nowhere else. Metadata servers and everything that is no host stay closed.
 */
export function localGate(): GatePolicy {
  return { ...publicWeb({ addresses: localOrPublic, ownHosts: new Set() }), names: isNoMetadata };
}

const LOCAL: ReadonlySet<AddressClass> = new Set(['loopback', 'private', 'shared']);
const LOCAL_IPV6 = ['::1/128', 'fc00::/7'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Metadata servers that clouds keep inside these ranges; whole prefixes, because credentials are served beside them. */
const METADATA_IPV4: ReadonlySet<string> = new Set(['100.100.100.200']);
const METADATA_IPV6 = ['fd00:ec2::/32', 'fd20:ce::/32'].map((range) => ipaddr.IPv6.parseCIDR(range));

const localOrPublic: AddressPolicy = (address) => {
  if (isMetadata(address)) return 'metadata';
  const kind = classifyAddress(address);
  return LOCAL.has(kind) || (kind === 'not_global' && isLocalIpv6(address)) ? 'public' : kind;
};

function isMetadata(address: string): boolean {
  const canonical = canonicalAddress(address);
  if (canonical === null) return false;
  if (!canonical.includes(':')) return METADATA_IPV4.has(canonical);
  const parsed = ipaddr.IPv6.parse(canonical);
  return METADATA_IPV6.some((range) => parsed.match(range));
}

function isLocalIpv6(address: string): boolean {
  const parsed = ipaddr.IPv6.parse(address);
  return LOCAL_IPV6.some((range) => parsed.match(range));
}

function isNoMetadata(name: string): boolean {
  return name !== 'metadata.goog' && !/(?:^|\.)(?:metadata|instance-data)(?:\.|$)/.test(name);
}
