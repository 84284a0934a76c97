import fc from 'fast-check';

/** In every URL with a password that a test sends, so that an echo of it shows. */
export const PASSWORD = 'hunter2';

/** Texts that have broken some program before. */
const KNOWN_TROUBLE = [
  '',
  ' ',
  '\0',
  '\r\nX-Injected: yes',
  '\ud800',
  'a\udfffb',
  '\u202e\u200b\ufeff',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '1e-400',
  '0x10',
  '٣',
  '１',
  '999999999999999999999999',
  '-1',
  '1,5',
  '%',
  '%zz',
  '%00',
  '%ED%A0%80',
  '../../etc/passwd',
  "' or '1'='1",
  '"; drop table receipts; --',
  '<script>alert(1)</script>',
  '{{7*7}}',
  'sc-0000000000000000',
  'weather',
  'plain-weather',
  'live',
  'dry-run',
  'eip155:8453',
  'solana',
  '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  'x'.repeat(65),
  'x'.repeat(5_000),
  '𝕏'.repeat(300),
];

/** URLs that lead everywhere they should not, and some that are fine. */
const URLS = [
  'http://seller.example/honest',
  'http://seller.example/thief?q=1',
  'http://seller.example/no-paywall',
  'http://seller.example/broken#part',
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:169.254.169.254]/latest/meta-data/',
  'http://localhost:6379/',
  'http://assay.example.org/',
  'http://a.internal/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://',
  'http://%00/',
  'http://a..b/',
  'http://ⓔxample.com/',
  'http://xn--0/',
  `http://${'a'.repeat(300)}.example/`,
  `http://user:${PASSWORD}@seller.example/`,
  `https:user:${PASSWORD}@seller.example`,
  `  http://user:${PASSWORD}@seller.example/`,
  `ftp://user:${PASSWORD}@seller.example/`,
];

export const hostileText = fc.oneof(
  fc.constantFrom(...KNOWN_TROUBLE),
  fc.constantFrom(...URLS.filter((url) => !url.includes(PASSWORD))),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer().map(String),
  fc.double().map(String),
);

export const hostileUrl = fc.oneof(
  fc.constantFrom(...URLS),
  fc.webUrl({ validSchemes: ['http'] }),
  hostileText,
);

/** What JSON can hold and a parameter should not. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, [], {}, [[]], 0, -0, 0.1, 1e21, 1e308, -1, 2 ** 53),
  fc.constant({ toString: 1, valueOf: 1 }),
  fc.nat(300).map((depth) => JSON.parse('['.repeat(depth + 1) + ']'.repeat(depth + 1))),
);

/** A query of these parameters: some missing, some twice, some in odd spellings, some raw. */
export function hostileQuery(names: readonly string[], urls: readonly string[]): fc.Arbitrary<string> {
  const pair = fc.constantFrom(...names, ...names, 'other', '__proto__', `${names[0]}[]`).chain((name) => {
    const value = urls.includes(name) ? hostileUrl : hostileText;
    return fc
      .tuple(value, fc.boolean())
      .map(([text, encoded]) => `${name}=${encoded ? encode(text) : raw(text)}`);
  });
  return fc.array(pair, { maxLength: 5 }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
}

export function encode(text: string): string {
  // Half of a surrogate pair has no encoding; a URL parser puts this in its place.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Not encoded, but for what would end the query. */
function raw(text: string): string {
  return text.replace(/[#&]/g, '');
}

/** Values that a header may legally have. */
const headerValue = fc
  .oneof(hostileText, fc.string({ maxLength: 200 }))
  .map((text) => text.replace(/[^\x20-\x7e]/g, '?').trim());

export const hostileHeaders = fc.dictionary(
  fc.constantFrom(
    ...['authorization', 'payment-signature', 'x-payment', 'x-402-version', 'if-none-match', 'host'],
    ...['x-forwarded-for', 'forwarded', 'accept', 'accept-encoding', 'range', 'origin', 'cookie'],
  ),
  headerValue,
  { maxKeys: 4, noNullPrototype: true },
);
