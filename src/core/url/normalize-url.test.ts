import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../test/support/sized.ts';
import { parseTargetUrl } from './target-url.ts';

function key(text: string): string {
  const reading = parseTargetUrl(text);
  return reading.kind === 'target' ? reading.target.normalized : `invalid: ${reading.fault}`;
}

describe('the normalised URL', () => {
  it.each<[string, string, string]>([
    ['lower-case scheme and host', 'HTTP://Example.COM/A', 'http://example.com/A'],
    ['no default port', 'https://example.com:443/a', 'https://example.com/a'],
    ['another port stays', 'https://example.com:8443/a', 'https://example.com:8443/a'],
    ['the default port of the other scheme stays', 'http://example.com:443/a', 'http://example.com:443/a'],
    ['no fragment', 'https://example.com/a#b', 'https://example.com/a'],
    ['no trailing slash', 'https://example.com/a/', 'https://example.com/a'],
    ['no trailing slash before a query', 'https://example.com/a/?x', 'https://example.com/a?x'],
    ['no trailing slash at the root', 'https://example.com/', 'https://example.com'],
    ['no trailing dot in the host', 'https://example.com./a', 'https://example.com/a'],
    ['sorted by key', 'https://example.com/?b=1&a=2', 'https://example.com?a=2&b=1'],
    ['then by value', 'https://example.com/?a=2&a=10', 'https://example.com?a=10&a=2'],
    [
      'a key is not a part of its neighbour',
      'https://example.com/?a-b=1&a=2',
      'https://example.com?a=2&a-b=1',
    ],
    ['a part without a value is all key', 'https://example.com/?ab&a-=1', 'https://example.com?a-=1&ab'],
    ['empty parts dropped', 'https://example.com/?&&a&', 'https://example.com?a'],
    ['an empty query dropped', 'https://example.com/?', 'https://example.com'],
    ['nothing is encoded again', 'https://example.com/%7e?q=%2F&p=+', 'https://example.com/%7e?p=+&q=%2F'],
    ['dot segments are gone, as on the wire', 'https://example.com/a/../b', 'https://example.com/b'],
  ])('%s', (_, text, normalized) => {
    expect(key(text)).toBe(normalized);
  });

  const urls = fc.webUrl({ withQueryParameters: true, withFragments: true });

  it('is idempotent', () => {
    fc.assert(
      fc.property(urls, (url) => {
        expect(key(key(url))).toBe(key(url));
      }),
      { numRuns: sized(500, 2_000) },
    );
  });

  it('is idempotent for hostile paths and queries', () => {
    const hostile = fc.string({ unit: fc.constantFrom(...'/?&=#%2e.:@;+\\ aé\u202e'), maxLength: 40 });
    fc.assert(
      fc.property(hostile, (rest) => {
        const once = key(`https://example.com/${rest}`);
        if (!once.startsWith('invalid')) expect(key(once)).toBe(once);
      }),
      { numRuns: sized(1_000, 5_000) },
    );
  });

  it('does not depend on the order of the query', () => {
    const part = fc.string({ unit: fc.constantFrom(...'ab=%&'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.func(fc.nat()), (parts, weight) => {
        const shuffled = [...parts].sort((left, right) => weight(left) - weight(right));
        expect(key(`https://example.com/?${shuffled.join('&')}`)).toBe(
          key(`https://example.com/?${parts.join('&')}`),
        );
      }),
      { numRuns: sized(500, 2_000) },
    );
  });
});
