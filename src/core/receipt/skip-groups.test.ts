import { describe, expect, it } from 'vitest';
import type { CrawlCode } from '../verdict/crawl-words.ts';
import { isMismatch, isSetAside, SKIP_CODES } from '../verdict/skip-codes.ts';
import { groupOf, SKIP_GROUPS, SKIP_REASONS, type SkipGroup } from './skip-groups.ts';

describe('the groups of skips', () => {
  it('are in this order, the gravest first', () => {
    expect(SKIP_GROUPS.map(({ group, title }) => [group, title])).toEqual([
      ['differs', 'Asks for other terms than listed'],
      ['unpayable', 'Cannot be paid'],
      ['no_endpoint', 'Not an endpoint'],
      ['set_aside', 'Set aside'],
    ]);
  });

  it.each<[CrawlCode, SkipGroup, string]>([
    ['pay_to_mismatch', 'differs', 'the money would go to somebody else'],
    ['price_mismatch', 'differs', 'more or less than listed'],
    ['terms_differ', 'differs', 'others are shown other terms'],
    ['network_mismatch', 'differs', 'on another chain than listed'],
    ['bad_challenge', 'unpayable', 'the 402 has no terms that can be signed'],
    ['asset_not_usdc', 'unpayable', 'another token'],
    ['network_unsupported', 'unpayable', 'a testnet, or a chain that nobody knows'],
    ['no_paywall', 'no_endpoint', 'no 402, HTTP errors included'],
    ['path_template', 'no_endpoint', 'the URL has placeholders'],
    ['name_not_found', 'no_endpoint', 'the host does not exist'],
    ['ssrf_blocked', 'no_endpoint', 'the address is not on the public web'],
    ['needs_input', 'set_aside', 'says more about our request'],
    ['timeout', 'no_endpoint', 'no skip in any release; a row must still have its place'],
  ])('%s is in %s: %s', (code, group) => {
    expect(groupOf(code)).toBe(group);
  });

  it('have every code once, the payee before the price', () => {
    expect(SKIP_REASONS.toSorted()).toEqual(SKIP_CODES.toSorted());
    expect(SKIP_REASONS.slice(0, 2)).toEqual(['pay_to_mismatch', 'price_mismatch']);
    expect(SKIP_GROUPS.flatMap(({ codes }) => codes)).toEqual(SKIP_REASONS);
  });

  it('agree with what a mismatch is and with what is set aside', () => {
    for (const code of SKIP_REASONS) {
      expect([code, isMismatch(code)]).toEqual([code, groupOf(code) === 'differs']);
      expect([code, isSetAside(code)]).toEqual([code, groupOf(code) === 'set_aside']);
    }
  });
});
