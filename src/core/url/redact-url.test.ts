import { describe, expect, it } from 'vitest';
import { redactUrl } from './redact-url.ts';

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
    ['the fragment', 'https://a.example/x#access_token=abc', 'https://a.example/x'],
  ])('hides %s', (_, href, redacted) => {
    expect(redactUrl(href)).toBe(redacted);
  });

  it.each<[string, string]>([
    ['an ordinary query', 'https://a.example/v1?q=weather&limit=5'],
    ['a country code', 'https://a.example/?country_code=DE'],
    ['a coin named by its contract', 'https://a.example/?token=0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['a wallet in the path', 'https://a.example/balance/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['an empty value', 'https://a.example/?token='],
    ['a parameter without a value', 'https://a.example/?token'],
    ['broken percent-encoding', 'https://a.example/?q=%zz'],
    ['no query', 'https://a.example/v1/data'],
  ])('shows %s', (_, href) => {
    expect(redactUrl(href)).toBe(href);
  });
});
