import { describe, expect, it } from 'vitest';
import { commonSpelling, redactUrl } from './redact-url.ts';

const ORIGINS = ['listed', 'unlisted'] as const;

describe('a URL in public (G53)', () => {
  it.each<[string, string, string]>([
    ['a key by its name', 'https://a.example/?api_key=abc', 'https://a.example/?api_key=REDACTED'],
    [
      'in camel case',
      'https://a.example/?accessToken=abc&x=1',
      'https://a.example/?accessToken=REDACTED&x=1',
    ],
    ['in one word', 'https://a.example/?apikey=abc', 'https://a.example/?apikey=REDACTED'],
    ['numbered', 'https://a.example/?key2=abc', 'https://a.example/?key2=REDACTED'],
    ['percent-encoded', 'https://a.example/?%74oken=abc', 'https://a.example/?%74oken=REDACTED'],
    [
      'a signature of a signed link',
      'https://a.example/b?sv=2022&sig=S%3D',
      'https://a.example/b?sv=2022&sig=REDACTED',
    ],
    ['with hyphens', 'https://a.example/?X-Amz-Signature=ab', 'https://a.example/?X-Amz-Signature=REDACTED'],
    ['a password', 'https://a.example/?pwd=x', 'https://a.example/?pwd=REDACTED'],
    ['an OAuth code', 'https://a.example/?code=x', 'https://a.example/?code=REDACTED'],
    ['a web token under any name', 'https://a.example/?q=eyJhbGciOi.e30.S', 'https://a.example/?q=REDACTED'],
    ['a web token without a name', 'https://a.example/?eyJhbGciOi.e30.S', 'https://a.example/?REDACTED'],
    ['a vendor key in the path', 'https://a.example/sk_live_51SECRET/x', 'https://a.example/REDACTED/x'],
    [
      'a hexadecimal key in the path',
      `https://a.example/v3/${'0a'.repeat(16)}`,
      'https://a.example/v3/REDACTED',
    ],
    ['a bearer value', 'https://a.example/?h=Bearer%20abc', 'https://a.example/?h=REDACTED'],
    ['a value that cannot be decoded', 'https://a.example/?token=%zz', 'https://a.example/?token=REDACTED'],
    ['oauth', 'https://a.example/?oauth=abc', 'https://a.example/?oauth=REDACTED'],
    ['oauth_code', 'https://a.example/?oauth_code=abc', 'https://a.example/?oauth_code=REDACTED'],
    ['authcode', 'https://a.example/?authcode=abc', 'https://a.example/?authcode=REDACTED'],
    ['userauth', 'https://a.example/?userauth=abc', 'https://a.example/?userauth=REDACTED'],
    ['jsessionid', 'https://a.example/?jsessionid=abc', 'https://a.example/?jsessionid=REDACTED'],
    ['pass', 'https://a.example/?pass=abc', 'https://a.example/?pass=REDACTED'],
    ['passcode', 'https://a.example/?passcode=abc', 'https://a.example/?passcode=REDACTED'],
    ['keyid', 'https://a.example/?keyid=abc', 'https://a.example/?keyid=REDACTED'],
    ['accesskeyid', 'https://a.example/?accesskeyid=abc', 'https://a.example/?accesskeyid=REDACTED'],
    ['tokenvalue', 'https://a.example/?tokenvalue=abc', 'https://a.example/?tokenvalue=REDACTED'],
    [
      'verification_code',
      'https://a.example/?verification_code=abc',
      'https://a.example/?verification_code=REDACTED',
    ],
    ['credentialid', 'https://a.example/?credentialid=abc', 'https://a.example/?credentialid=REDACTED'],
    ['access_token', 'https://a.example/?access_token=abc', 'https://a.example/?access_token=REDACTED'],
    ['sessionId', 'https://a.example/?sessionId=abc', 'https://a.example/?sessionId=REDACTED'],
    ['Authorization', 'https://a.example/?Authorization=abc', 'https://a.example/?Authorization=REDACTED'],
    ['client_secret', 'https://a.example/?client_secret=abc', 'https://a.example/?client_secret=REDACTED'],
    ['otp_code', 'https://a.example/?otp_code=abc', 'https://a.example/?otp_code=REDACTED'],
    ['secret_code', 'https://a.example/?secret_code=abc', 'https://a.example/?secret_code=REDACTED'],
    ['apiKeyCode', 'https://a.example/?apiKeyCode=abc', 'https://a.example/?apiKeyCode=REDACTED'],
    ['session_code', 'https://a.example/?session_code=abc', 'https://a.example/?session_code=REDACTED'],
    ['a key in the path', 'https://a.example/api_key=SECRET/x', 'https://a.example/REDACTED/x'],
    [
      'a link with a user',
      'https://a.example/?to=https%3A%2F%2Fu%3Ap%40b%2F',
      'https://a.example/?to=REDACTED',
    ],
    [
      'a part behind a semicolon',
      'https://a.example/?a=1;api_key=S',
      'https://a.example/?a=1;api_key=REDACTED',
    ],
    [
      'a link with a key inside',
      'https://a.example/?to=https%3A%2F%2Fb%2F%3Ftoken%3DS',
      'https://a.example/?to=REDACTED',
    ],
    [
      'a vendor key before a broken escape',
      'https://a.example/?x=sk_live_abcdefgh12%',
      'https://a.example/?x=REDACTED',
    ],
    [
      'a vendor key behind a blank',
      'https://a.example/?x=%20sk_live_abcdefgh12',
      'https://a.example/?x=REDACTED',
    ],
    ['a model vendor key', 'https://a.example/?x=sk-proj-abc123def456', 'https://a.example/?x=REDACTED'],
    ['an access token of a cloud', 'https://a.example/?x=ya29.abcdef', 'https://a.example/?x=REDACTED'],
    [
      'the shortest key of all in the path',
      'https://a.example/v1/AIza123456',
      'https://a.example/v1/REDACTED',
    ],
    ['a short key in an escape in the path', 'https://a.example/pin%3D1/x', 'https://a.example/REDACTED/x'],
    ['a short bearer value in the path', 'https://a.example/bearer+x', 'https://a.example/REDACTED'],
    ['a short link with a user in the path', 'https://a.example/ab:%2F%2F@', 'https://a.example/REDACTED'],
    ['the fragment', 'https://a.example/x#access_token=abc', 'https://a.example/x'],
  ])('hides %s', (_, href, redacted) => {
    expect(ORIGINS.map((origin) => redactUrl(href, origin))).toEqual([redacted, redacted]);
  });

  it.each<[string, string]>([
    ['an ordinary query', 'https://a.example/v1?q=weather&limit=5'],
    ['a country code', 'https://a.example/?country_code=DE'],
    ['a coin named by its contract', 'https://a.example/?token=0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['a wallet in the path', 'https://a.example/balance/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['an empty value', 'https://a.example/?token='],
    ['a parameter without a value', 'https://a.example/?token'],
    ['a host that reads like a secret', 'https://bearer.example.com/v1'],
    ['another one', 'https://ya29.example.com/v1'],
    ['words in the path', 'https://a.example/bearer-bonds/sk-learn-tutorials/sk-slovakia'],
    ['an author', 'https://a.example/?author=smith'],
    ['a monkey and a turkey', 'https://a.example/?monkey=1&turkey=2'],
    ['a number of tokens', 'https://a.example/?max_tokens=100'],
    ['a link without secrets', 'https://a.example/?to=https%3A%2F%2Fb%2F%3Fq%3D1'],
    ['broken percent-encoding', 'https://a.example/?q=%zz'],
    ['no query', 'https://a.example/v1/data'],
  ])('shows %s', (_, href) => {
    expect(ORIGINS.map((origin) => redactUrl(href, origin))).toEqual([href, href]);
  });
});

it('a spelling is the same from the URL and from whatever a receipt shows of it', () => {
  const id = '5f0c6a3e-8d1b-4c2f-9a7e-1b2c3d4e5f60';
  const hrefs = [
    'https://a.example/x/',
    'https://a.example/x',
    `https://a.example/x?id=${id}`,
    `https://a.example/x?id=${id}&api_key=s`,
  ];
  for (const href of hrefs) {
    for (const origin of ORIGINS) {
      expect(commonSpelling(redactUrl(href, origin))).toBe(commonSpelling(href));
    }
  }
  expect(new Set(hrefs.map(commonSpelling)).size).toBe(hrefs.length);
});
