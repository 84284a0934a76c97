import { describe, expect, it } from 'vitest';
import { trustedProxies } from './caller-address.ts';
import { type Networks, networksOf } from './networks.ts';
import { addressCounters, freeUse } from './quota.ts';

describe('the networks of an address (G01, G102)', () => {
  it.each<[string, string, Networks]>([
    ['IPv4: the address alone', '192.0.2.1', { prefix: '192.0.2.1', wide: null }],
    ['IPv4 in IPv6: the same', '::ffff:192.0.2.1', { prefix: '192.0.2.1', wide: null }],
    ['IPv6: /64 and /48', '2001:db8:1:2::9', { prefix: '20010db800010002', wide: '20010db80001' }],
    ['IPv6, the next /64', '2001:db8:1:3::9', { prefix: '20010db800010003', wide: '20010db80001' }],
    ['IPv6, the next /48', '2001:db8:2:2::9', { prefix: '20010db800020002', wide: '20010db80002' }],
    ['no address', '', { prefix: 'unknown', wide: null }],
  ])('%s', (_, address, networks) => {
    expect(networksOf(address)).toEqual(networks);
  });
});

describe('the second ceiling of IPv6 (G102)', () => {
  const now = new Date('2026-11-15T12:00:00.000Z');
  const settings = { secret: 'secret', ceilings: { lookup: 100, spot_check: 20, dry_run: 200 } };
  const countersOf = (address: string) =>
    freeUse({ metered: 'lookup', caller: { address, client: null }, ref: null, now }, settings).counters;

  it('is ten times that of an address, for every /64 of the /48', () => {
    const [, , one] = countersOf('2001:db8:1:2::1');
    const [, , other] = countersOf('2001:db8:1:3::1');
    expect(one).toMatchObject({ window: '2026-11-15', limit: 1_000 });
    expect(other).toEqual(one);
    expect(countersOf('2001:db8:2:2::1')[2]).not.toEqual(one);
  });

  it('does not exist for IPv4', () => {
    expect(countersOf('192.0.2.1')).toHaveLength(2);
  });

  it('holds for hourly limits as well', () => {
    const hour = { window: '2026-11-15T12', limit: 60 };
    const counters = addressCounters('2001:db8:1:2::1', 'quotes', hour, 'secret');
    expect(counters.map(({ limit }) => limit)).toEqual([60, 600]);
    expect(new Set(counters.map(({ key }) => key)).size).toBe(2);
    expect(addressCounters('192.0.2.1', 'quotes', hour, 'secret')).toHaveLength(1);
  });
});

describe('a block of addresses that is trusted (G03)', () => {
  it.each<[block: string, address: string, isInside: boolean]>([
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['192.0.2.128/25', '192.0.2.128', true],
    ['192.0.2.128/25', '192.0.2.127', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.71', false],
    // The first bit must not be taken for a sign.
    ['200.0.0.0/7', '201.255.255.255', true],
    ['200.0.0.0/7', '202.0.0.0', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::/0', '192.0.2.1', false],
  ])('%s contains %s: %s', (block, address, isInside) => {
    expect(trustedProxies([block]).trusts(address)).toBe(isInside);
  });
});
