import { describe, expect, it } from 'vitest';
import { target } from '../../../tools/samples/listed.ts';
import { sameHostRedirect } from './redirect.ts';

const follow = (from: string, location: string, status = 301, method: 'GET' | 'POST' = 'GET') =>
  sameHostRedirect(target(from), method, { status, locations: [location] })?.href ?? null;

describe('a redirect that is followed (G45)', () => {
  it.each<[string, string, string, string]>([
    ['a trailing slash', 'https://a.example/x', '/x/', 'https://a.example/x/'],
    ['a relative path', 'https://a.example/v1/x', 'y?z=1', 'https://a.example/v1/y?z=1'],
    ['the same host, spelled out', 'https://a.example/x', 'https://A.EXAMPLE:443/y#f', 'https://a.example/y'],
    ['the same port', 'http://a.example:8080/x', 'http://a.example:8080/y', 'http://a.example:8080/y'],
    [
      'an address in the query',
      'https://a.example/x',
      '/y?next=https:/z',
      'https://a.example/y?next=https:/z',
    ],
    ['up to https', 'http://a.example/x', 'https://a.example/x', 'https://a.example/x'],
    [
      'a scheme-relative address of the same host',
      'https://a.example/x',
      '//a.example/y',
      'https://a.example/y',
    ],
  ])('%s', (_, from, location, to) => {
    expect(follow(from, location)).toBe(to);
  });

  it.each<[number, boolean, boolean]>([
    [300, false, false],
    [301, true, false],
    [302, true, false],
    [303, true, false],
    [304, false, false],
    [307, true, true],
    [308, true, true],
    [402, false, false],
    [200, false, false],
  ])('status %i: GET %s, POST %s', (status, get, post) => {
    expect(follow('https://a.example/x', '/y', status) !== null).toBe(get);
    expect(follow('https://a.example/x', '/y', status, 'POST') !== null).toBe(post);
  });
});

describe('a redirect that is not followed', () => {
  it.each<[string, string, string]>([
    ['another host', 'https://a.example/x', 'https://b.example/x'],
    ['a name below', 'https://a.example/x', 'https://pay.a.example/x'],
    ['a metadata address', 'https://a.example/x', 'http://169.254.169.254/'],
    ['another host, scheme-relative', 'https://a.example/x', '//169.254.169.254/'],
    ['another port', 'https://a.example/x', 'https://a.example:8443/x'],
    ['down to http', 'https://a.example/x', 'http://a.example/x'],
    ['down to http on the ports of the other scheme', 'https://a.example:80/x', 'http://a.example:443/x'],
    ['https from a port of its own', 'http://a.example:8080/x', 'https://a.example/x'],
    ['https on a port of its own', 'http://a.example/x', 'https://a.example:8443/x'],
    ['credentials', 'https://a.example/x', 'https://u:p@a.example/x'],
    ['another scheme', 'https://a.example/x', 'javascript:alert(1)'],
    ['nonsense', 'https://a.example/x', 'https://['],
    [
      'a host before a backslash, behind which others see one',
      'https://a.example/x',
      'https://a.example\\@b.example/',
    ],
    ['a backslash for a slash', 'https://a.example/x', '/y\\z'],
    ['a tab in the host', 'https://a.example/x', 'https://a.exam\tple/y'],
    ['one slash behind the scheme', 'https://a.example/x', 'https:/b.example/'],
    ['one slash behind the same scheme', 'http://a.example/x', 'http:/b.example/'],
    ['no slash behind the scheme', 'https://a.example/x', 'HTTPS:y'],
    ['an endless address', 'https://a.example/x', `/${'x'.repeat(3_000)}`],
  ])('%s', (_, from, location) => {
    expect(follow(from, location)).toBeNull();
  });

  it('without an address, or with two', () => {
    const from = target('https://a.example/x');
    expect(sameHostRedirect(from, 'GET', { status: 301, locations: [] })).toBeNull();
    expect(sameHostRedirect(from, 'GET', { status: 301, locations: ['/y', '/z'] })).toBeNull();
  });
});
