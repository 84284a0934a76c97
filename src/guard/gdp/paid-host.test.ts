import { expect, it } from 'vitest';
import { paidHost } from './paid-host.ts';

it.each<[string, string, string, string | null]>([
  ['a name', 'http://shop.test.localhost:4100/a', 'localhost', 'shop.test.localhost'],
  ['letter case', 'http://SHOP.test.localhost/a', 'localhost', 'shop.test.localhost'],
  ['a name in the user part', 'http://shop.test@evil.test/a', 'localhost', 'evil.test'],
  ['another protocol', 'ftp://shop.test/a', 'localhost', null],
  ['a host in the path', 'http://127.0.0.1:4100/_host/evil.test/a', 'path', 'evil.test'],
  ['the server itself', 'http://127.0.0.1:4100/a', 'path', 'provider.test'],
  [
    'dots that lead to another host',
    'http://127.0.0.1/_host/provider.test/../evil.test/a',
    'path',
    'evil.test',
  ],
  ['a prefix in another spelling', 'http://127.0.0.1//_host/evil.test/a', 'path', null],
  ['an encoded prefix', 'http://127.0.0.1/%5Fhost/evil.test/a', 'path', null],
  ['an encoding that is none', 'http://127.0.0.1/%E0%A4%A', 'path', null],
])('%s', (_what, url, mode, host) => {
  expect(paidHost(new URL(url), mode)).toBe(host);
});
