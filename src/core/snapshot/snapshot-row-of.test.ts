import { describe, expect, it } from 'vitest';
import { BASE, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { aCrawlReceipt } from '../../../tools/samples/crawl-rows.ts';
import { network } from '../../../tools/samples/listed.ts';
import { URL_MAX_BYTES } from '../limits.ts';
import { microUsd } from '../money/micro-usd.ts';
import type { CrawlReceipt } from '../receipt/crawl-receipt.ts';
import { redactUrl } from '../url/redact-url.ts';
import { VERDICT_OF_REASON } from '../verdict/verdict.ts';
import { findingOf, hasTag, SNAPSHOT_CODES } from './snapshot-codes.ts';
import { snapshotRowOf } from './snapshot-row-of.ts';

const A_PAY: Partial<CrawlReceipt> = {
  verdict: 'pay',
  code: 'price_ok',
  quotedPrice: microUsd(10_000n),
  payTo: PAYEE,
  network: network(BASE),
};
const rowOf = (changes: Partial<CrawlReceipt> = {}) => snapshotRowOf(aCrawlReceipt({ ...A_PAY, ...changes }));
const hexOf = (changes: Partial<CrawlReceipt>) => {
  const row = rowOf(changes);
  return [row?.key.toString('hex'), row?.tag?.toString('hex')];
};

// printf 'assay snapshot v1\nGET https://a.example/x' | sha256sum | cut -c1-16
const KEY = '851457e99d007d2e';
// printf 'assay terms v1\nGET https://a.example/x\neip155:8453|0x8335…2913|10000|0x2096…287c' | sha256sum | cut -c1-16
const TAG = 'abceeb669761564a';

describe('the row of a crawl receipt', () => {
  it('has the key and the tag that anybody can compute', () => {
    expect(hexOf({})).toEqual([KEY, TAG]);
    expect(rowOf()?.code).toBe(1);
  });

  it.each<[string, Partial<CrawlReceipt>]>([
    ['a trailing slash', { url: 'https://a.example/x/' }],
    ['the payee in other letters', { payTo: PAYEE.toLowerCase() }],
  ])('is the same for %s', (_, changes) => {
    expect(hexOf(changes)).toEqual([KEY, TAG]);
  });

  it.each<[string, Partial<CrawlReceipt>]>([
    ['the price', { quotedPrice: microUsd(10_001n) }],
    ['the payee', { payTo: THIEF }],
    ['the network, and with it the asset', { network: network('eip155:1') }],
  ])('has another tag and the same key when %s changes', (_, changes) => {
    const [key, tag] = hexOf(changes);
    expect(key).toBe(KEY);
    expect(tag).toMatch(/^[0-9a-f]{16}$/);
    expect(tag).not.toBe(TAG);
  });

  it.each<[string, Partial<CrawlReceipt>]>([
    ['method', { method: 'POST' }],
    ['URL', { url: 'https://a.example/x?y=1' }],
  ])('has another key and another tag for another %s', (_, changes) => {
    const [key, tag] = hexOf(changes);
    expect(key).not.toBe(KEY);
    expect(tag).not.toBe(TAG);
  });

  it('has no tag unless it may be paid', () => {
    expect(rowOf({ verdict: 'skip', code: 'pay_to_mismatch' })).toMatchObject({ code: 18, tag: null });
  });

  it.each<[string, Partial<CrawlReceipt>]>([
    ['price', { quotedPrice: null }],
    ['payee', { payTo: null }],
    ['network', { network: null }],
    ['network whose USDC we know', { network: network('eip155:84532') }],
  ])('does not exist for a payment without a %s', (_, changes) => {
    expect(rowOf(changes)).toBeNull();
  });
});

describe('a URL with a secret', () => {
  const SECRET = 'k7Qz9vXw2LmN4pRt8sYb3cDf6gHj1aEe';

  it.each([
    `https://a.example/x?api_key=${SECRET}`,
    `https://a.example/${SECRET}/x`,
    `https://a.example/x?a=1&token=${SECRET}`,
  ])('leaves no key: %s', (href) => {
    const shown = redactUrl(href, 'listed');
    expect(shown).not.toContain(SECRET);
    expect(rowOf({ url: shown })).toBeNull();
    // Also in a row of a release that did not redact it.
    expect(rowOf({ url: href })).toBeNull();
  });

  it('leaves none when the mark of the redaction was cut off with the end of the text', () => {
    const before = `https://a.example/${'x/'.repeat(1_010)}?pin=`;
    const href = `${before.slice(0, URL_MAX_BYTES - 9)}?pin=1234`;
    const shown = redactUrl(href, 'listed').slice(0, URL_MAX_BYTES);
    expect(href).toHaveLength(URL_MAX_BYTES);
    expect(shown).not.toContain('REDACTED');
    expect(rowOf({ url: shown })).toBeNull();
  });

  it('leaves none for a URL that cannot be parsed', () => {
    expect(rowOf({ url: 'https://' })).toBeNull();
  });
});

describe('the codes', () => {
  it('give every finding its verdict, and a tag to nothing but `pay`', () => {
    const verdicts = Object.entries(SNAPSHOT_CODES).map(([code, number]) => [
      code,
      findingOf(number)?.verdict,
      hasTag(number),
    ]);
    const known = Object.entries({
      ...VERDICT_OF_REASON,
      path_template: 'skip',
      name_not_found: 'skip',
      needs_input: 'skip',
      host_silent: 'recheck',
    }).map(([code, verdict]) => [code, verdict, verdict === 'pay']);
    expect(verdicts.toSorted()).toEqual(known.toSorted());
    expect(new Set(Object.values(SNAPSHOT_CODES)).size).toBe(verdicts.length);
  });

  it('of later releases are unknown', () => {
    expect([0, 2, 63, 100, 255].map(findingOf)).toEqual([null, null, null, null, null]);
  });
});
