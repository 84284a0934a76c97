import { describe, expect, it } from 'vitest';
import { bareHost, hostInPath } from './host-in-path.ts';

describe('the host in a path', () => {
  it.each([
    ['a name', 'api.example.com', 'api.example.com'],
    ['a name in Punycode', 'xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
    ['a name of one label', 'localhost', 'localhost'],
    ['an IPv4 address', '192.0.2.7', '192.0.2.7'],
    ['an IPv6 address in brackets', '[2001:db8::1]', '[2001:db8::1]'],
    ['the same, encoded', '%5B2001%3Adb8%3A%3A1%5D', '[2001:db8::1]'],
    ['the same without brackets', '2001:db8::1', '[2001:db8::1]'],
    ['a name as long as they get', `${'a.'.repeat(126)}a`, `${'a.'.repeat(126)}a`],
  ])('is read from %s', (_, segment, host) => {
    expect(hostInPath(segment)).toBe(host);
  });

  it.each([
    ['nothing', ''],
    ['a port', 'api.example.com:8443'],
    ['the default port', 'api.example.com:80'],
    ['upper case', 'API.example.com'],
    ['other letters than ASCII', 'm%C3%BCnchen.example'],
    ['a trailing dot', 'api.example.com.'],
    ['a user', 'me@api.example.com'],
    ['a path', 'api.example.com%2Fx'],
    ['a query', 'api.example.com%3Fx'],
    ['a fragment', 'api.example.com%23x'],
    ['a backslash', 'api.example.com%5Cx'],
    ['a broken escape', '%E0%A4%A'],
    ['markup', '%3Cscript%3E.example'],
    ['a mark of direction', 'a%E2%80%AE.example'],
    ['a control character', 'a%00.example'],
    ['another spelling of an IPv4 address', '0x7f.1'],
    ['another spelling of an IPv6 address', '[2001:DB8:0::1]'],
    ['an IPv6 address with a port', '[2001:db8::1]:80'],
    ['a name that is too long', `${'a.'.repeat(127)}a`],
    ['a label that is too long', `${'a'.repeat(64)}.example`],
  ])('is not read from %s', (_, segment) => {
    expect(hostInPath(segment)).toBeNull();
  });
});

describe('a host as opt-outs spell it', () => {
  it.each([
    ['a.example', 'a.example'],
    ['192.0.2.1', '192.0.2.1'],
    ['[2001:db8::1]', '2001:db8::1'],
  ])('%s is %s', (host, bare) => {
    expect(bareHost(host)).toBe(bare);
  });
});
