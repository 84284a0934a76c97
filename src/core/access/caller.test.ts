import { describe, expect, it } from 'vitest';
import { callerAddress, type Hops, trustedProxies } from './caller-address.ts';
import { addressKey, callerKey, dryRunKey, networkPrefix } from './caller-key.ts';
import { parseCallerName, spotCheckMode } from './caller-name.ts';
import { isSelfTest } from './self-test.ts';

const SECRET = 'a secret of the operator';

describe('the key of a caller (G01)', () => {
  const key = (address: string, client: string | null = null) => callerKey({ address, client }, SECRET);

  it.each<[string, string, string, boolean]>([
    ['an IPv4 address and its IPv6 spelling', key('192.0.2.1'), key('::ffff:192.0.2.1'), true],
    ['two IPv4 neighbours', key('192.0.2.1'), key('192.0.2.2'), false],
    ['two addresses of one IPv6 /64', key('2001:db8:1:2::1'), key('2001:db8:1:2:ffff::9'), true],
    ['two IPv6 networks', key('2001:db8:1:2::1'), key('2001:db8:1:3::1'), false],
    ['one name on two addresses', key('192.0.2.1', 'bot'), key('192.0.2.2', 'bot'), false],
    ['two names on one address', key('192.0.2.1', 'bot'), key('192.0.2.1', 'other'), false],
    ['a name and no name', key('192.0.2.1', 'bot'), key('192.0.2.1'), false],
  ])('%s: same key %#', (_, left, right, same) => {
    expect(left === right).toBe(same);
  });

  it('is a keyed hash that shows neither address nor name', () => {
    expect(key('192.0.2.1', 'bot')).toMatch(/^[0-9a-f]{32}$/);
    expect(key('192.0.2.1', 'bot')).not.toBe(
      callerKey({ address: '192.0.2.1', client: 'bot' }, 'another secret'),
    );
  });

  it('with a name never equals the key of the address that bounds all names', () => {
    expect(addressKey('192.0.2.1', SECRET)).not.toBe(key('192.0.2.1', 'bot'));
  });

  it('without a name is that of the address', () => {
    expect(key('192.0.2.1')).toBe(addressKey('192.0.2.1', SECRET));
  });

  it('falls back to one shared prefix when there is no address', () => {
    expect(networkPrefix('not an address')).toBe('unknown');
  });
});

describe('the key of a dry run (G09)', () => {
  const named = { address: '192.0.2.1', client: 'bot' };
  const elsewhere = { address: '198.51.100.1', client: 'bot' };

  it('is the ref wherever it comes from, else the client, else the address', () => {
    expect(dryRunKey(named, 'dry-run-a', SECRET)).toBe(
      dryRunKey({ ...elsewhere, client: null }, 'dry-run-a', SECRET),
    );
    expect(dryRunKey(named, null, SECRET)).toBe(dryRunKey(elsewhere, null, SECRET));
    expect(dryRunKey({ ...named, client: null }, null, SECRET)).not.toBe(
      dryRunKey({ ...elsewhere, client: null }, null, SECRET),
    );
    expect(dryRunKey(named, 'bot', SECRET)).not.toBe(dryRunKey(named, null, SECRET));
    expect(dryRunKey(named, 'dry-run-a', SECRET)).not.toBe(dryRunKey(named, 'dry-run-b', SECRET));
    expect(dryRunKey(named, null, SECRET)).not.toBe(dryRunKey({ ...named, client: 'b' }, null, SECRET));
  });
});

describe('the address of a caller (G03)', () => {
  const { trusts, unreadable } = trustedProxies([
    '10.0.0.0/8',
    '2001:db8::1',
    '2001:DB8:7::/48',
    '192.0.2.7',
    '192.0.2.9/32',
    '2001:db8::3/128',
    'nonsense',
  ]);
  const hops = (changes: Partial<Hops>): Hops => ({
    peer: '10.0.0.1',
    xForwardedFor: null,
    forwarded: null,
    ...changes,
  });

  it.each<[string, Partial<Hops>, string | null]>([
    ['the peer', { peer: '198.51.100.9' }, '198.51.100.9'],
    [
      'the peer, whatever an untrusted one claims',
      { peer: '198.51.100.9', xForwardedFor: '1.2.3.4' },
      '198.51.100.9',
    ],
    ['the peer in its IPv6 spelling', { peer: '::ffff:198.51.100.9' }, '198.51.100.9'],
    ['a trusted peer alone', {}, '10.0.0.1'],
    ['the hop before a trusted proxy', { xForwardedFor: '198.51.100.9' }, '198.51.100.9'],
    ['the right-most untrusted hop', { xForwardedFor: '1.1.1.1, 198.51.100.9, 10.0.0.2' }, '198.51.100.9'],
    ['the left-most when all are trusted', { xForwardedFor: '10.0.0.9, 10.0.0.2' }, '10.0.0.9'],
    ['a hop with a port', { xForwardedFor: '198.51.100.9:4711' }, '198.51.100.9'],
    ['an IPv6 hop with a port', { xForwardedFor: '[2001:db8::9]:4711' }, '2001:db8::9'],
    ['a hop with the shortest address and port', { xForwardedFor: '8.8.8.8:1' }, '8.8.8.8'],
    ['a hop with the longest ones', { xForwardedFor: '198.151.100.119:65535' }, '198.151.100.119'],
    ['an IPv6 hop in brackets', { xForwardedFor: '[2001:DB8::9]' }, '2001:db8::9'],
    ['an IPv4 hop in brackets', { xForwardedFor: '[::ffff:198.51.100.9]:4711' }, '198.51.100.9'],
    ['nothing before a comma', { xForwardedFor: ',10.0.0.2' }, '10.0.0.2'],
    ['an IPv6 hop without brackets', { xForwardedFor: '2001:db8::9' }, '2001:db8::9'],
    ['nothing beyond an unreadable hop', { xForwardedFor: '198.51.100.9, junk, 10.0.0.2' }, '10.0.0.2'],
    [
      'the right-most untrusted hop of an endless header, which the caller may have made so',
      { xForwardedFor: `${'1.1.1.1,'.repeat(2_000)} 198.51.100.9` },
      '198.51.100.9',
    ],
    [
      'the right-most hop behind endless text',
      { xForwardedFor: `${'1:'.repeat(8_000)}, 198.51.100.9` },
      '198.51.100.9',
    ],
    ['nothing from an endless hop', { xForwardedFor: '1:'.repeat(8_000) }, '10.0.0.1'],
    ['a trusted IPv6 peer', { peer: '2001:db8::1', xForwardedFor: '198.51.100.9' }, '198.51.100.9'],
    ['the standard header', { forwarded: 'proto=https;for=198.51.100.9;by=10.0.0.1' }, '198.51.100.9'],
    ['a peer beside a trusted IPv6 one', { peer: '2001:db8::2', xForwardedFor: '1.1.1.1' }, '2001:db8::2'],
    ['a hop before a trusted IPv6 block', { peer: '2001:db8:7::1', xForwardedFor: '1.1.1.1' }, '1.1.1.1'],
    ['a hop before a block of one', { peer: '192.0.2.9', xForwardedFor: '1.1.1.1' }, '1.1.1.1'],
    ['a hop before an IPv6 block of one', { peer: '2001:db8::3', xForwardedFor: '1.1.1.1' }, '1.1.1.1'],
    [
      'the right-most hop of the standard header',
      { forwarded: 'for=1.1.1.1, for=198.51.100.9' },
      '198.51.100.9',
    ],
    ['the standard header, quoted', { forwarded: 'for="[2001:db8::9]:4711", For=10.0.0.2' }, '2001:db8::9'],
    ['the standard header without a hop', { forwarded: 'proto=https' }, '10.0.0.1'],
    [
      'the older header before the standard one',
      { xForwardedFor: '198.51.100.9', forwarded: 'for=1.1.1.1' },
      '198.51.100.9',
    ],
    ['no address at all', { peer: '' }, null],
    ['a peer that only looks like one', { peer: '999.1.1.1' }, null],
  ])('%s', (_, changes, address) => {
    expect(callerAddress(hops(changes), trusts)).toBe(address);
  });

  it('names the settings it cannot read', () => {
    expect(unreadable).toEqual(['nonsense']);
    const odd = [
      '10/8',
      '010.0.0.0/8',
      '10.0.0.0/33',
      '::ffff:10.0.0.0/104',
      '::ffff:10.0.0.0/8',
      'x10.0.0.0/8',
      '10.0.0.0/0008',
      '2001:db8::/129',
      '',
      '10.0.0.0/',
    ];
    expect(trustedProxies(odd).unreadable).toEqual(odd);
  });
});

describe('the name of a caller (G04)', () => {
  it.each<[string, string | null]>([
    ['My-Agent_1.0', 'my-agent_1.0'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), null],
    ['', null],
    ['a b', null],
    ['ａ', null],
    ['a\n', null],
    ['__proto__', '__proto__'],
  ])('%j is %j', (text, name) => {
    expect(parseCallerName(text)).toBe(name);
  });

  it.each<[string, 'live' | 'dry-run', string | null, string]>([
    ['live as sent', 'live', null, 'live'],
    ['dry-run as sent', 'dry-run', null, 'dry-run'],
    ['a ref that asks for a dry run wins', 'live', 'dry-run-bot', 'dry-run'],
    ['a ref without a caller does not', 'live', 'dry-run-', 'live'],
    ['another ref does not', 'live', 'my-dry-run-bot', 'live'],
  ])('mode: %s', (_, mode, ref, expected) => {
    expect(spotCheckMode(mode, ref)).toBe(expected);
  });
});

describe('the exempt tier (G05)', () => {
  it.each<[string, string | null, string | null, boolean]>([
    ['the right key', 'Bearer s3cret', 's3cret', true],
    ['the scheme in lower case', 'bearer s3cret', 's3cret', true],
    ['another key', 'Bearer other', 's3cret', false],
    ['no header', null, 's3cret', false],
    ['no key configured', 'Bearer s3cret', null, false],
    ['an empty key configured', 'Bearer s3cret', '', false],
    ['another scheme', 'Basic s3cret', 's3cret', false],
    ['an empty token', 'Bearer ', 's3cret', false],
    ['a name', 's3cret', 's3cret', false],
  ])('%s', (_, authorization, key, exempt) => {
    expect(isSelfTest(authorization, key)).toBe(exempt);
  });
});
