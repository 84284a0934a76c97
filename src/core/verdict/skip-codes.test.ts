import { expect, it } from 'vitest';
import type { CrawlCode } from './crawl-words.ts';
import { isMismatch, isSkipCode, SKIP_CODES } from './skip-codes.ts';

it.each<[CrawlCode, boolean, string]>([
  ['price_mismatch', true, 'the price was read and differs'],
  ['network_mismatch', true, 'the network was read and differs'],
  ['pay_to_mismatch', true, 'the payee was read and differs'],
  ['terms_differ', true, 'others were shown other terms'],
  ['no_paywall', false, 'there was nothing to compare'],
  ['timeout', false, 'nothing was read'],
])('%s contradicts the listing: %s, because %s', (code, contradicts) => {
  expect(isMismatch(code)).toBe(contradicts);
});

it.each([
  ['name_not_found', true],
  ['price_ok', false],
  ['toString', false],
])('%s is a value of the filter: %s', (text, isOne) => {
  expect([isSkipCode(text), SKIP_CODES.includes(text)]).toEqual([isOne, isOne]);
});
