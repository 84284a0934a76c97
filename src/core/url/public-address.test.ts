import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { classifyAddress, publicAddresses } from './public-address.ts';
import { IPV4_DENIED, IPV6_DENIED } from './special-ranges.ts';

const toNumber = (address: string) =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

function toAddress(value: bigint, family: 4 | 6): string {
  const length = family === 4 ? 4 : 16;
  const byteAt = (_: unknown, index: number) => Number((value >> BigInt(8 * (length - 1 - index))) & 255n);
  return ipaddr.fromByteArray(Array.from({ length }, byteAt)).toString();
}

/** First and last address of a block, and the neighbours just outside. */
function edges(cidr: string) {
  const [base = '', bits = '0'] = cidr.split('/');
  const family = base.includes(':') ? 6 : 4;
  const width = family === 4 ? 32 : 128;
  const first = toNumber(base);
  const last = first + (1n << BigInt(width - Number(bits))) - 1n;
  const inside = [first, last].map((value) => toAddress(value, family));
  const outside = [first - 1n, last + 1n]
    .filter((value) => value >= 0n && value < 1n << BigInt(width))
    .map((value) => toAddress(value, family));
  return { inside, outside };
}

// Neighbours of a block that lie in another refused block.
const ALSO_REFUSED = new Set(['239.255.255.255', '240.0.0.0', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff']);

describe('every refused block, at its edges', () => {
  it.each([...IPV4_DENIED, ...IPV6_DENIED])('%s (%s)', (cidr, name) => {
    const { inside, outside } = edges(cidr);
    for (const address of inside) expect([address, classifyAddress(address)]).toEqual([address, name]);
    for (const address of outside) {
      const expected = ALSO_REFUSED.has(address) || cidr === '2001::/23' ? expect.any(String) : 'public';
      expect([address, classifyAddress(address)]).toEqual([address, expected]);
    }
  });

  // Written out: the blocks above are read from the very table that is tested.
  it.each<[string, string]>([
    ['0.0.0.1', 'this_network'],
    ['10.1.2.3', 'private'],
    ['100.100.100.200', 'shared'],
    ['127.0.0.53', 'loopback'],
    ['168.63.129.16', 'metadata'],
    ['169.254.169.254', 'link_local'],
    ['172.31.0.1', 'private'],
    ['192.0.0.192', 'protocol'],
    ['192.0.2.1', 'documentation'],
    ['192.31.196.1', 'protocol'],
    ['192.52.193.1', 'protocol'],
    ['192.88.99.1', 'relay'],
    ['192.168.1.1', 'private'],
    ['192.175.48.1', 'protocol'],
    ['198.19.0.1', 'benchmark'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['239.255.255.250', 'multicast'],
    ['255.255.255.255', 'reserved'],
    ['2001:2::1', 'protocol'],
    ['2001:db8::1', 'documentation'],
    ['2002:808:808::1', 'embedded'],
    ['2620:4f:8000::1', 'protocol'],
    ['3fff::1', 'documentation'],
  ])('and none is missing: %s is %s', (address, name) => {
    expect(classifyAddress(address)).toBe(name);
  });

  it.each<[string, string]>([
    ['2001:200::', 'public'],
    ['2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'public'],
    ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', 'public'],
    ['2003::', 'public'],
    ['1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'not_global'],
    ['2000::', 'public'],
    ['3fff:1000::', 'public'],
    ['4000::', 'not_global'],
  ])('around global unicast: %s is %s', (address, name) => {
    expect(classifyAddress(address)).toBe(name);
  });
});

describe('every spelling that embeds a refused IPv4 address', () => {
  const hex = (address: string) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(address).octets;
    return [a * 256 + b, c * 256 + d].map((part) => part.toString(16)) as [string, string];
  };
  const embeddings: [string, (address: string) => string][] = [
    ['mapped', (address) => `::ffff:${address}`],
    ['compatible', (address) => `::${address}`],
    ['translated', (address) => `::ffff:0:${address}`],
    ['NAT64', (address) => `64:ff9b::${address}`],
    ['NAT64 of a local prefix', (address) => `64:ff9b:1::${address}`],
    ['6to4', (address) => `2002:${hex(address).join(':')}::1`],
    ['Teredo server', (address) => `2001:0:${hex(address).join(':')}::1`],
  ];

  it.each(embeddings)('%s', (_, embed) => {
    for (const [cidr] of IPV4_DENIED) {
      const [address = ''] = edges(cidr).inside;
      expect([embed(address), classifyAddress(embed(address))]).not.toContain('public');
    }
  });

  it.each(embeddings)('%s of a public address as well: no seller needs that spelling', (_, embed) => {
    expect(classifyAddress(embed('8.8.8.8'))).not.toBe('public');
  });
});

describe('what cannot be read for certain is never public', () => {
  it.each<[string, string]>([
    ['a name', 'example.com'],
    ['nothing', ''],
    ['a decimal number', '134744072'],
    ['a short form', '8.8'],
    ['hexadecimal', '0x8.8.8.8'],
    ['an octal part', '010.8.8.8'],
    ['an overflowing part', '8.8.8.256'],
    ['brackets', '[2606:4700::1111]'],
    ['a zone', 'fe80::1%eth0'],
    ['a port', '8.8.8.8:80'],
    ['a trailing newline', '8.8.8.8\n'],
  ])('%s', (_, text) => {
    expect(classifyAddress(text)).toBe('unreadable');
  });
});

describe('the addresses of the service itself', () => {
  const policy = publicAddresses(['8.8.4.4', '2606:4700::1111', '2606:4700:0:0::2222', 'not an address']);

  it.each<[string, string]>([
    ['8.8.4.4', 'own'],
    ['2606:4700:0:0::1111', 'own'],
    ['2606:4700::2222', 'own'],
    ['::ffff:8.8.4.4', 'own'],
    ['8.8.8.8', 'public'],
    ['10.0.0.1', 'private'],
    ['not an address', 'unreadable'],
  ])('%s is %s', (address, name) => {
    expect(policy(address, 443)).toBe(name);
  });
});
