import { describe, expect, it } from 'vitest';
import { blockRule, mayDial } from '../core/url/gate.ts';
import { parseTargetUrl } from '../core/url/target-url.ts';
import { onlyPlaces, placeOf, readPlace, resolveNothing } from './open-places.ts';

describe('a place that may be opened', () => {
  it.each<[string, string, object | null]>([
    ['the usual loopback address', '127.0.0.1:8080', { address: '127.0.0.1', port: 8080 }],
    ['any other one', '127.254.253.252:65535', { address: '127.254.253.252', port: 65_535 }],
    ['a low port', '127.0.0.1:80', { address: '127.0.0.1', port: 80 }],
    ['a name', 'localhost:8080', null],
    ['a public address', '93.184.216.34:80', null],
    ['a private address', '10.0.0.1:80', null],
    ['all addresses of this machine', '0.0.0.0:80', null],
    ['loopback of IPv6', '[::1]:80', null],
    ['an address that only begins like loopback', '127.0.0.1.example.com:80', null],
    ['a short form', '127.1:80', null],
    ['an octal form', '127.0.0.010:80', null],
    ['a number beyond 255', '127.0.0.256:80', null],
    ['no port', '127.0.0.1', null],
    ['port zero', '127.0.0.1:0', null],
    ['a port beyond the last', '127.0.0.1:65536', null],
    ['a port with a leading zero', '127.0.0.1:080', null],
    ['a URL', 'http://127.0.0.1:80', null],
    ['a path behind it', '127.0.0.1:80/x', null],
    ['a blank', ' 127.0.0.1:80', null],
    ['nothing', '', null],
  ])('%s', (_, text, place) => {
    expect(readPlace(text)).toEqual(place);
  });

  it('can be read off an address, with the port that http leaves out', () => {
    expect(placeOf('http://127.0.1.7:4100/testnet')).toEqual({ address: '127.0.1.7', port: 4_100 });
    expect(placeOf('http://127.0.0.1/')).toEqual({ address: '127.0.0.1', port: 80 });
    expect(() => placeOf('http://example.com/')).toThrow('http://example.com/ is not on loopback');
  });
});

describe('the doors at which the sandbox knocks', () => {
  const policy = onlyPlaces([
    { address: '127.0.1.1', port: 4_001 },
    { address: '127.0.0.1', port: 22 },
  ]);
  const isBlocked = (url: string) => {
    const reading = parseTargetUrl(url);
    return reading.kind === 'invalid' ? reading.fault : blockRule(reading.target, policy) !== null;
  };

  it.each<[string, string, boolean]>([
    ['an open one', 'http://127.0.1.1:4001/x?y', false],
    ['an open one by another spelling', 'http://0x7f.0.1.1:4001/', false],
    ['an open one that was asked for, whatever its port', 'http://127.0.0.1:22/', false],
    ['another port of the same address', 'http://127.0.1.1:4002/', true],
    ['the same port of another address', 'http://127.0.0.1:4001/', true],
    ['the default port', 'http://127.0.1.1/', true],
    ['the open address inside of IPv6', 'http://[::ffff:127.0.1.1]:4001/', true],
    ['loopback of IPv6', 'http://[::1]:4001/', true],
    ['localhost', 'http://localhost:22/', true],
    ['a public address', 'http://93.184.216.34/', true],
    ['a public address on an open port', 'http://93.184.216.34:4001/', true],
    ['a private address', 'http://10.0.0.1:4001/', true],
    ['a metadata server', 'http://169.254.169.254/', true],
  ])('%s', (_, url, blocked) => {
    expect(isBlocked(url)).toBe(blocked);
  });

  it('names lead to none of them, because nobody is asked where they lead', async () => {
    expect(await resolveNothing('example.com', AbortSignal.timeout(1_000))).toEqual({
      kind: 'addresses',
      addresses: [],
    });
    expect(mayDial([], 4_001, policy)).toBe(false);
    expect(mayDial(['127.0.1.1'], 4_001, policy)).toBe(true);
    expect(mayDial(['127.0.1.1', '93.184.216.34'], 4_001, policy)).toBe(false);
  });
});
