import { describe, expect, it } from 'vitest';
import { SERVICE_JSON } from '../../../tools/samples/service-json.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { linksAt } from '../../wire/responses/links.ts';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import { type ServicePageParts, servicePage } from './service-page.ts';

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

const UNPAID: ServicePageParts['verdict'] = {
  word: 'unpaid',
  calls: 0,
  graded: 0,
  passed: 0,
  delivered: 0,
  chargedCalls: 0,
  charged: microUsd(0n),
};
const LISTED = microUsd(10_000n);

const pageOf = (changes: Partial<ServiceJson>, parts: Partial<ServicePageParts> = {}) =>
  servicePage({
    service: { ...SERVICE_JSON, ...changes },
    verdict: UNPAID,
    prices: { listed: LISTED, asked: [] },
    links: linksAt('https://assay.example.org'),
    ...parts,
  });
const wordsOf = async (changes: Partial<ServiceJson>, parts: Partial<ServicePageParts> = {}) =>
  (await pageOf(changes, parts)).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

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

  it.each<[string, Partial<typeof RECEIPT>, RegExp]>([
    [
      'passed',
      {},
      /right: <bdi>the check passed<\/bdi><\/td>\n<td class="number" data-label="Paid">\$0\.01<\/td><td class="number" data-label="HTTP">200<\/td>\n<td class="number" data-label="Took">120 ms<\/td>/,
    ],
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
      /not delivered; not graded: <bdi>timeout<\/bdi><\/td>\n<td class="number" data-label="Paid">nothing<\/td><td class="number" data-label="HTTP"><\/td>\n<td class="number" data-label="Took"><\/td>/,
    ],
    [
      'was settled',
      {},
      /<a href="https:\/\/basescan\.org\/tx\/0xab" rel="noreferrer" title="0x[ab]{64}"><code class="short">0xababab…abab<\/code><\/a>/,
    ],
    [
      'was settled where no explorer looks',
      { explorer_url: null },
      /<code title="0x[ab]{64}">0xababab…abab<\/code><\/td>/,
    ],
    ['was not settled', { tx: null, explorer_url: null }, /<td data-label="Settlement">none<\/td>/],
  ])('has a row for a call that %s', async (_, changes, markup) => {
    expect(await pageOf({ receipts: [{ ...RECEIPT, ...changes }] })).toMatch(markup);
  });

  it('shows the calls as marks, newest right, each with words and a link to its row', async () => {
    const receipts = [
      { ...RECEIPT, time: '2026-11-15T09:00:00.000Z', quality: 'fail' as const },
      { ...RECEIPT, delivered: false, charged_usd: null, latency_ms: null, quality: 'not_graded' as const },
    ];
    const page = await pageOf({ receipts });
    const strip = /<ol class="strip"[\s\S]*?<\/ol>/.exec(page)?.[0] ?? '';
    expect(
      [...strip.matchAll(/href="(#call-[0-9]+)" title="([^"]*)"/g)].map(([, href, title]) => [href, title]),
    ).toEqual([
      ['#call-1', '2026-11-15 08:00 UTC: not graded, not delivered, nothing paid'],
      ['#call-2', '2026-11-15 09:00 UTC: wrong, $0.01, 120 ms'],
    ]);
    expect([...page.matchAll(/<tr id="(call-[0-9]+)"/g)].map(([, id]) => id)).toEqual(['call-2', 'call-1']);
  });

  it('compares the prices that were asked with the listed one', async () => {
    const span = (price: bigint, times: number, ...sources: ('paid' | 'crawl')[]) => ({
      price: microUsd(price),
      from: new Date(TIME),
      to: new Date('2026-11-16T08:00:00.000Z'),
      times,
      sources,
    });
    const asked = [span(25_000n, 1, 'crawl'), span(10_000n, 7, 'paid', 'crawl'), span(4_000n, 2, 'paid')];
    const words = await wordsOf({}, { prices: { listed: LISTED, asked } });
    expect(words).toContain('Listed: $0.01. Asked, latest first');
    expect(words).toContain('$0.015 more');
    expect(words).toContain(
      'as listed2026-11-15 08:00 UTC2026-11-16 08:00 UTC 7\u00a0× paid calls and weekly crawl'.replace(
        '\u00a0',
        ' ',
      ),
    );
    expect(words).toContain('$0.006 less');
  });

  it('links payees and the host to their pages, and only addresses', async () => {
    const address = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
    const page = await pageOf({ listed_pay_to: address, pay_to: [address, '"><script>'] });
    expect(page.match(new RegExp(`href="/payees/${address}"`, 'g'))).toHaveLength(2);
    expect(page.match(/href="\/payees\//g)).toHaveLength(2);
    expect(page).toContain('href="/hosts/weather.example.com"');
  });

  it('has a form that checks it, and a description with the figures', async () => {
    const page = await pageOf({});
    expect(page).toMatch(/<form class="now" method="post" action="\/check">/);
    expect(page).toContain('<input type="hidden" name="url" value="https://weather.example.com/v1/now">');
    expect(page).toContain(
      '<meta name="description" content="Plain Weather by Example Instruments, $0.01 a call. No paid calls yet.">',
    );
    expect(page).toContain(
      '<link rel="canonical" href="https://assay.example.org/v1/services/plain-weather">',
    );
    expect(page).toContain(
      '<link rel="alternate" type="application/json" href="/v1/services/plain-weather">',
    );
  });
});
