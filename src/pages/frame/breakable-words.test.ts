import { expect, it } from 'vitest';
import { breakableWords } from './breakable.ts';

it.each([
  ['price mismatch: listed $0.01, 402 asks $0.05', '<bdi>price mismatch: listed $0.01, 402 asks $0.05</bdi>'],
  [
    `402 pays 0x${'1'.repeat(40)}`,
    `<bdi title="402 pays 0x${'1'.repeat(40)}">402 pays 0x${'1'.repeat(22)}<wbr>${'1'.repeat(18)}</bdi>`,
  ],
  ['<b> \u202e &', '<bdi>&lt;b&gt; \ufffd &amp;</bdi>'],
  ['', '<bdi></bdi>'],
])('%j has places to break only inside of words that are too long', async (text, shown) => {
  expect(String(await breakableWords(text, 300))).toBe(shown);
});

it('is bounded', async () => {
  const shown = String(await breakableWords('y'.repeat(2_000), 300));
  expect(shown.replace(/<[^>]*>/g, '')).toHaveLength(300);
});
