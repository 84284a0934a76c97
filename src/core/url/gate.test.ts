import { describe, expect, it } from 'vitest';
import { target } from '../../../tools/samples/listed.ts';
import { blockRule, mayDial, publicWeb } from './gate.ts';
import { optOutsOf } from './opt-outs.ts';
import { publicAddresses } from './public-address.ts';
import { parseTargetUrl } from './target-url.ts';

const policy = publicWeb({
  addresses: publicAddresses(['8.8.4.4']),
  ownHosts: new Set(['assay.example.com']),
});

function rule(text: string) {
  const reading = parseTargetUrl(text);
  return reading.kind === 'target' ? blockRule(reading.target, policy) : reading.fault;
}

describe('a URL that may not be fetched', () => {
  it.each<[string, string, string]>([
    ['our own name', 'https://assay.example.com/v1/tasks', 'own_host'],
    ['our own name in capitals, with a dot and a port', 'https://ASSAY.example.com.:8443/', 'own_host'],
    ['our own address', 'http://8.8.4.4/', 'address'],
    ['localhost', 'http://localhost/', 'internal_name'],
    ['a name below localhost, with a dot', 'http://a.b.localhost./', 'internal_name'],
    ['a single label', 'http://metadata/', 'internal_name'],
    ['a metadata server by name', 'http://metadata.google.internal/', 'internal_name'],
    ['a zone that is itself a name', 'http://metadata.goog/', 'internal_name'],
    ...['local', 'localdomain', 'localdomain6', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'].map(
      (zone): [string, string, string] => [`a name below ${zone}`, `http://a.${zone}/`, 'internal_name'],
    ),
    ...['home.arpa', 'in-addr.arpa', 'ip6.arpa', 'onion', 'svc', 'consul'].map(
      (zone): [string, string, string] => [`a name below ${zone}`, `http://a.${zone}/`, 'internal_name'],
    ),
    ['enclosed letters that mean localhost', 'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'internal_name'],
    ['loopback', 'http://127.0.0.1/', 'address'],
    ['loopback mapped into IPv6', 'http://[::ffff:127.0.0.1]/', 'address'],
    ['a low port', 'http://example.com:22/', 'port'],
    ['the port before the first open one', 'http://example.com:1023/', 'port'],
    ['port zero', 'http://example.com:0/', 'port'],
    ...[
      1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
      6697, 10_080,
    ].map((port): [string, string, string] => [`port ${port}`, `http://example.com:${port}/`, 'port']),
    ...[
      1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 6379, 6443, 8500, 9042, 9092,
      9200, 9300, 10_250, 11_211, 15_672, 27_017, 50_070,
    ].map((port): [string, string, string] => [`port ${port}`, `http://example.com:${port}/`, 'port']),
  ])('%s', (_, text, name) => {
    expect(rule(text)).toBe(name);
  });

  it.each<[string, string]>([
    ['an ordinary name', 'https://api.example.com/'],
    ['a public address', 'http://8.8.8.8/'],
    ['a public IPv6 address', 'http://[2606:4700:4700::1111]/'],
    ['a high port', 'http://example.com:4021/'],
    ['the first open high port', 'http://example.com:1024/'],
    ['the last port', 'http://example.com:65535/'],
    ['a name that only contains a denied one', 'https://localhost.example.com/'],
    ['a name that only ends like a denied one', 'https://mylocal.com/'],
    ['a wildcard name on a public address', 'https://x402.8-8-8-8.nip.io/'],
  ])('but %s may', (_, text) => {
    expect(rule(text)).toBeNull();
  });
});

describe('the answer of the resolver', () => {
  it.each<[string, string[], boolean]>([
    ['public addresses of both families', ['8.8.8.8', '2606:4700:4700::1111'], true],
    ['one private address among public ones', ['8.8.8.8', '10.0.0.1'], false],
    ['a mapped loopback beside a public address', ['8.8.8.8', '::ffff:127.0.0.1'], false],
    ['our own address', ['8.8.4.4'], false],
    ['something unreadable', ['8.8.8.8', 'example.com'], false],
    ['no address at all', [], false],
  ])('%s', (_, addresses, allowed) => {
    expect(mayDial(addresses, 443, policy)).toBe(allowed);
  });
});

it('a policy may open one place without its neighbours', () => {
  const onePlace = {
    ...policy,
    addresses: (address: string, port: number) =>
      address === '127.0.0.2' && port === 9001 ? ('public' as const) : ('loopback' as const),
  };
  const ruleOf = (url: string) => {
    const reading = parseTargetUrl(url);
    return reading.kind === 'target' ? blockRule(reading.target, onePlace) : reading.fault;
  };
  expect(ruleOf('http://127.0.0.2:9001/')).toBeNull();
  expect(ruleOf('http://127.0.0.2:9002/')).toBe('address');
  expect(ruleOf('http://127.0.0.3:9001/')).toBe('address');
  expect(mayDial(['127.0.0.2'], 9001, onePlace)).toBe(true);
  expect(mayDial(['127.0.0.2'], 80, onePlace)).toBe(false);
});

describe('who has opted out (G77)', () => {
  const optOuts = optOutsOf(['quiet.example', '1.2.3.0/24']);
  const quiet = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(), optOuts });

  it.each([
    ['http://quiet.example/', 'opted_out'],
    ['http://1.2.3.4/', 'opted_out'],
    ['http://loud.example/', null],
  ])('%s: %s', (url, rule) => {
    expect(blockRule(target(url), quiet)).toBe(rule);
  });

  it('is not dialled under another name', () => {
    expect(mayDial(['1.2.3.4'], 443, quiet)).toBe(false);
    expect(mayDial(['8.8.8.8', '1.2.3.4'], 443, quiet)).toBe(false);
    expect(mayDial(['8.8.8.8'], 443, quiet)).toBe(true);
  });
});
