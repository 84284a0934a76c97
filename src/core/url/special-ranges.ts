/** Why an address is not a public web server. */
export type AddressClass =
  | 'public'
  | 'this_network'
  | 'private'
  | 'shared'
  | 'loopback'
  | 'link_local'
  | 'protocol'
  | 'documentation'
  | 'relay'
  | 'benchmark'
  | 'multicast'
  | 'reserved'
  | 'metadata'
  | 'embedded'
  | 'not_global'
  | 'own'
  | 'unreadable';

export type SpecialRange = readonly [cidr: string, name: AddressClass];

/** IPv4 by deny list: the IANA special registry, multicast, and one cloud's metadata server on a public address. */
export const IPV4_DENIED: readonly SpecialRange[] = [
  ['0.0.0.0/8', 'this_network'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'metadata'],
  ['169.254.0.0/16', 'link_local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'protocol'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'protocol'],
  ['192.52.193.0/24', 'protocol'],
  ['192.88.99.0/24', 'relay'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'protocol'],
  ['198.18.0.0/15', 'benchmark'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

/**
 * IPv6 by allow list: whatever lies outside global unicast is refused without being named, and with it every spelling
 * that embeds an IPv4 address (mapped, compatible, translated, NAT64).
 */
export const IPV6_GLOBAL = '2000::/3';

/** Parts of global unicast that are not the public web. */
export const IPV6_DENIED: readonly SpecialRange[] = [
  ['2001::/23', 'protocol'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', 'embedded'],
  ['2620:4f:8000::/48', 'protocol'],
  ['3fff::/20', 'documentation'],
];
