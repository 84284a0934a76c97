import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sized } from '../../../test/support/sized.ts';
import { URL_MAX_BYTES } from '../limits.ts';
import { commonSpelling, holdsCredential, redactUrl } from './redact-url.ts';

const ORIGINS = ['listed', 'unlisted'] as const;

/** What the patterns look for, and what may confuse them. */
const PIECES = [
  ...['password', 'token', 'max_tokens', 'seed', 'address', 'code', 'x', 'Bearer ', '1234', 'USDC', 'hunter'],
  ...['sk_live_abcdefgh', 'eyJhbGciOi.e30.S', `0x${'0a'.repeat(20)}`, '0a'.repeat(16), 'k3Yz9Qp2Lm7T'],
  ...['abandon ', 'abandon '.repeat(12), 'https://', 'u:p@', '"', "'", '\\', '\\u0022', '{', '}', '[', ']'],
  ...[':', '=', '&', ';', '?', '/', '#', ',', '.', '-', ' ', '+'],
  ...['\n', '%', '%25', '%zz', '%22', '%2F', '\ud800'],
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 20 })
  .map((pieces) => pieces.join(''));
const json = fc.jsonValue().map((value) => JSON.stringify({ token: value, q: [value] }));

/** A raw text cannot be encoded where it has half of a character. */
const encoded = (value: string) => encodeURIComponent(value.replace(/\p{Surrogate}/gu, ''));
const href = fc
  .tuple(fc.oneof(text, json), fc.oneof(text, json), fc.nat({ max: 3 }))
  .map(([path, query, times]) => {
    const wrapped = Array.from({ length: times }).reduce<string>(encoded, query);
    return `https://a.example/${times === 0 ? path : encoded(path)}/x?input=${wrapped}&${path}`;
  });

describe('redaction of any text (G53)', () => {
  it('changes nothing the second time, and keeps the spelling of the URL', () => {
    fc.assert(
      fc.property(href, (url) => {
        for (const origin of ORIGINS) {
          const shown = redactUrl(url, origin);
          expect(redactUrl(shown, origin)).toBe(shown);
          expect(redactUrl(shown, 'unlisted')).toBe(redactUrl(url, 'unlisted'));
          expect(holdsCredential(shown)).toBe(false);
        }
        expect(commonSpelling(url).length).toBeLessThanOrEqual(URL_MAX_BYTES);
      }),
      { numRuns: sized(1_000, 20_000) },
    );
  });
});

const filled = (piece: string, chars: number) =>
  piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);

/** How many characters the patterns are given to read while a URL is redacted. */
function charsRead(url: string): number {
  let chars = 0;
  const exec = RegExp.prototype.exec;
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const to = match === null ? text.length : match.index + match[0].length;
    chars += this.sticky ? (match?.[0].length ?? 1) : to - from;
    return match;
  });
  redactUrl(url, 'listed');
  vi.restoreAllMocks();
  return chars;
}

describe('redaction of a hostile text', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ...[
      'a',
      '1',
      'aA1',
      'a=',
      'a:',
      'a: ',
      '"a":',
      '?a',
      '?[]',
      '/[]',
      '[',
      '{"a":',
      '\\',
      '%25',
      '%zz',
      ' ',
    ],
    ...[
      'eyJ-',
      'sk-proj-',
      'ab://',
      'token',
      'token:bearer ',
      'abandon ',
      'abandon, ',
      '"\\"',
      '[[1],',
      'a1 ',
    ],
  ])('reads twice as much of a text twice as long: %j', (piece) => {
    for (const [before, after] of [
      ['?q=', ''],
      ['?q=["', '"]'],
      ['', '/x'],
    ]) {
      const read = (chars: number) =>
        charsRead(`https://a.example/${before}${encodeURIComponent(filled(piece, chars))}${after}`);
      expect(read(2_000)).toBeLessThan(2.5 * read(1_000));
    }
  });

  it.each([8, 64, 512, 1_024])('reads a name of %i characters once for all items of a list', (chars) => {
    const items = `${'1,'.repeat((URL_MAX_BYTES - chars) / 2 - 8)}1`;
    const list = `{"${filled('x', chars)}":[${items}]}`;
    expect(charsRead(`https://a.example/?q=${encodeURIComponent(list)}`)).toBeLessThan(100 * list.length);
  });
});
