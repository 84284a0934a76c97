import { describe, expect, it } from 'vitest';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import { servicePage } from './service-page.ts';

const SERVICE: ServiceJson = {
  id: 'plain-weather',
  name: 'Plain Weather',
  provider: 'Example Instruments',
  category: 'weather',
  description: 'Current temperature.',
  endpoint: 'https://weather.example.com/v1/now',
  method: 'GET',
  example: { method: 'GET', url: 'https://weather.example.com/v1/now', body: null },
  price_usd: '0.01',
  price_asset: 'USDC',
  network: 'eip155:8453',
  listed_pay_to: null,
  tasks: ['weather'],
  source: { list: 'a-list', seen_on: '2026-11-01' },
  pass_rate: null,
  pass_rate_low: null,
  delivered_rate: null,
  graded_receipts: 0,
  passed_receipts: 0,
  receipts_considered: 0,
  quality_test: null,
  facts_only_reason: null,
  last_check: null,
  newest_receipt_at: null,
  stale: true,
  pay_to: [],
  receipts: [],
};
const TIME = '2026-11-15T08:00:00.000Z';
const RECEIPT: ServiceJson['receipts'][number] = {
  time: TIME,
  tx: `0x${'ab'.repeat(32)}`,
  explorer_url: 'https://basescan.org/tx/0xab',
  charged_usd: '0.01',
  delivered: true,
  quality: 'pass',
  quality_reason: 'the check passed',
  http_status: 200,
  latency_ms: 120,
};
const CHECK = {
  checked_at: TIME,
  reachable: true,
  x402_challenge: true,
  quoted_price_usd: 0.01,
  price_matches_listing: true,
};

const wordsOf = async (changes: Partial<ServiceJson>) =>
  (await servicePage({ ...SERVICE, ...changes })).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

describe('the page of a service', () => {
  it.each<[string, Partial<typeof CHECK> | null, string]>([
    ['never looked at', null, 'Not checked yet.'],
    ['out of reach', { reachable: false, x402_challenge: false }, 'the endpoint cannot be reached.'],
    ['free', { x402_challenge: false }, 'the endpoint does not ask for payment.'],
    ['at its price', {}, '2026-11-15 08:00 UTC: the endpoint asks $0.01, which is the listed price.'],
    ['at another price', { price_matches_listing: false }, 'asks $0.01, which is not the listed price.'],
  ])('in words, when the endpoint was %s', async (_, changes, words) => {
    expect(await wordsOf({ last_check: changes === null ? null : { ...CHECK, ...changes } })).toContain(
      words,
    );
  });

  it.each<[string, number | null, string]>([
    ['a price alone', 0.01, 'the endpoint asks $0.01.'],
    ['no price', null, 'the endpoint asks for a payment without a readable price.'],
  ])('in words, when the endpoint names %s', async (_, quoted_price_usd, words) => {
    const last_check = { ...CHECK, quoted_price_usd, price_matches_listing: null };
    expect(await wordsOf({ last_check })).toContain(words);
  });

  it.each<[string, Partial<ServiceJson>, string]>([
    ['no call', {}, 'We have not paid for a call yet.'],
    [
      'two passes of two',
      { receipts_considered: 2, graded_receipts: 2, passed_receipts: 2, pass_rate: 1, pass_rate_low: 0.342 },
      '2 of 2 graded responses (100 %; at least 34.2 % with 95 % confidence)',
    ],
    ['calls without a grade', { receipts_considered: 3 }, '0 of 0 graded responses'],
    ['a rate of thirds', { receipts_considered: 3, delivered_rate: 0.667 }, 'Delivered66.7 %'],
    ['an old call', { receipts_considered: 1, newest_receipt_at: TIME }, '2026-11-15 08:00 UTC, stale'],
    [
      'a pinned reason before any call',
      { facts_only_reason: 'asks for a login' },
      'Not ranked: asks for a login.',
    ],
  ])('has the numbers of %s', async (_, changes, words) => {
    expect(await wordsOf(changes)).toContain(words);
  });

  it.each<[string, Partial<typeof RECEIPT>, string]>([
    ['passed', {}, '<td>pass: the check passed</td>\n<td>$0.01</td><td>200</td>\n<td>120 ms</td>'],
    [
      'brought nothing and cost nothing',
      {
        delivered: false,
        quality: 'not_graded',
        quality_reason: 'timeout',
        charged_usd: null,
        http_status: null,
        latency_ms: null,
      },
      '<td>not delivered; not graded: timeout</td>\n<td>nothing</td><td></td>\n<td></td>',
    ],
    ['was settled', {}, '<a href="https://basescan.org/tx/0xab">0xababab…abab</a>'],
    ['was settled where no explorer looks', { explorer_url: null }, '<td>0xababab…abab</td>'],
    ['was not settled', { tx: null, explorer_url: null }, '<td>none</td>'],
  ])('has a row for a call that %s', async (_, changes, markup) => {
    expect(await servicePage({ ...SERVICE, receipts: [{ ...RECEIPT, ...changes }] })).toContain(markup);
  });
});
