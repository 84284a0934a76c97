import { describe, expect, it } from 'vitest';
import { parseTargetUrl } from './target-url.ts';

function parsed(text: string) {
  const reading = parseTargetUrl(text);
  return reading.kind === 'target' ? reading.target : reading.fault;
}

describe('a target URL is parsed once', () => {
  it('into everything that later steps need', () => {
    expect(parsed('HTTPS://API.Example.com:443/v1/Data/?b=2&a=1#part')).toEqual({
      scheme: 'https',
      host: 'api.example.com',
      hostKind: 'name',
      port: 443,
      authority: 'api.example.com',
      pathAndQuery: '/v1/Data/?b=2&a=1',
      href: 'https://api.example.com/v1/Data/?b=2&a=1',
      normalized: 'https://api.example.com/v1/Data?a=1&b=2',
    });
  });

  it.each<[string, string, string, number]>([
    ['a decimal IPv4 address', 'http://2130706433/', '127.0.0.1', 80],
    ['a short hexadecimal IPv4 address', 'http://0x7f.1/', '127.0.0.1', 80],
    ['an IPv4 address with a trailing dot', 'http://127.0.0.1./', '127.0.0.1', 80],
    ['full-width digits', 'http://１２７.０.０.１/', '127.0.0.1', 80],
    ['an IPv6 address, without its brackets', 'http://[2001:DB8::1]:8080/', '2001:db8::1', 8080],
    ['a name with one trailing dot', 'https://example.com./', 'example.com', 443],
    ['an international name', 'https://中国.example.org/', 'xn--fiqs8s.example.org', 443],
    ['a look-alike letter, which stays another host', 'https://exаmple.com/', 'xn--exmple-4nf.com', 443],
    ['an underscore, which real names use', 'https://my_api.example.com/', 'my_api.example.com', 443],
    ['a backslash in the query', 'http://example.com/?q=a\\b', 'example.com', 80],
    ['a backslash in the fragment', 'http://example.com/#a\\b', 'example.com', 80],
    ['a padded default port', 'http://example.com:080/', 'example.com', 80],
  ])('%s', (_, text, host, port) => {
    expect(parsed(text)).toMatchObject({ host, port });
  });

  it('keeps brackets around an IPv6 address in both spellings of the URL', () => {
    expect(parsed('http://[2606:4700::1111]:8080/a/')).toMatchObject({
      authority: '[2606:4700::1111]:8080',
      href: 'http://[2606:4700::1111]:8080/a/',
      normalized: 'http://[2606:4700::1111]:8080/a',
    });
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'not_a_url'],
    ['no scheme', 'example.com/paid', 'not_a_url'],
    ['an IPv6 zone', 'http://[fe80::1%25eth0]/', 'not_a_url'],
    ['another scheme', 'ftp://example.com/', 'not_http'],
    ['a scheme that fetch would answer by itself', 'data:text/plain,x', 'not_http'],
    ['a user name', 'https://token@example.com/', 'credentials'],
    ['a password', 'https://:secret@example.com/', 'credentials'],
    ['a newline that the parser would drop', 'http://127.0\n.0.1/', 'odd_characters'],
    ['a leading blank that the parser would drop', ' http://example.com/', 'odd_characters'],
    ['a trailing no-break space', 'http://example.com/\u00a0', 'odd_characters'],
    ['an escape character', 'https://example.com/?q=\u001b[31m', 'odd_characters'],
    ['a delete character', 'https://example.com/?q=\u007f', 'odd_characters'],
    ['the last control character', 'https://example.com/?q=\u009f', 'odd_characters'],
    ['a backslash, which ends the host here alone', 'https://example.com\\@thief.example/', 'odd_characters'],
    ['a backslash behind the port', 'http://example.com:80\\.127.0.0.1/', 'odd_characters'],
    ['a backslash in the path', 'https://example.com/a\\..\\b', 'odd_characters'],
    ['a backslash for the slashes', 'https:\\\\example.com/', 'odd_characters'],
    ['an empty label', 'http://example..com/', 'bad_host_name'],
    ['two trailing dots', 'http://127.0.0.1../', 'bad_host_name'],
    ['only dots', 'http://./', 'bad_host_name'],
    ['a leading hyphen', 'http://-example.com/', 'bad_host_name'],
    ['a wildcard', 'http://*.example.com/', 'bad_host_name'],
    ['a label of 64 characters', `http://${'a'.repeat(64)}.com/`, 'bad_host_name'],
    ['a name of 254 characters', `http://${`${'a'.repeat(49)}.`.repeat(5)}abcd/`, 'bad_host_name'],
    ['2,049 bytes', `https://example.com/${'a'.repeat(2_029)}`, 'too_long'],
    ['2,048 characters that need more bytes', `https://example.com/${'é'.repeat(1_015)}`, 'too_long'],
    [
      'a text that only becomes too long when it is encoded',
      `https://example.com/${'é'.repeat(700)}`,
      'too_long',
    ],
  ])('refuses %s', (_, text, fault) => {
    expect(parsed(text)).toBe(fault);
  });

  it.each<[string, string]>([
    ['2,048 bytes', `https://example.com/${'a'.repeat(2_028)}`],
    ['a label of 63 characters', `http://${'a'.repeat(63)}.com/`],
    ['a name of 253 characters', `http://${`${'a'.repeat(49)}.`.repeat(5)}abc/`],
  ])('takes %s', (_, text) => {
    expect(parseTargetUrl(text).kind).toBe('target');
  });
});
