import { describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { crawlId, crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { afterNoon } from '../../../tools/samples/store-receipts.ts';
import { useService } from '../../support/asking.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import { expectUnbroken, wordsOf } from '../../support/pages.ts';
import { BASE_URL } from '../../support/running/running-service.ts';

const PAYEE = { code: 'pay_to_mismatch', claimedPrice: null, quotedPrice: null } as const;
const ASIDE = { code: 'needs_input', quotedPrice: null, reason: 'no 402 challenge (HTTP 400)' } as const;
const ONE_LIST = { sourceList: 'bazaar', listedIn: ['bazaar', 'copied'] } as const;

/** By URL: a template, an unusable challenge, one that wants input, eight prices, two payees, one to pay. */
const ROWS = [
  crawlRow(1, { ...ONE_LIST, code: 'path_template', url: 'https://shop.example/a/{id}' }),
  crawlRow(2, { ...ONE_LIST, code: 'bad_challenge', url: 'https://shop.example/b' }),
  crawlRow(3, { ...ONE_LIST, ...ASIDE, url: 'https://shop.example:8443/c' }),
  ...Array.from({ length: 8 }, (_, n) =>
    crawlRow(n + 10, { ...ONE_LIST, quotedPrice: microUsd(BigInt(10_000 * (n + 2))) }),
  ),
  crawlRow(20, { ...ONE_LIST, ...PAYEE }),
  crawlRow(21, { ...ONE_LIST, ...PAYEE }),
  crawlRow(22, { ...ONE_LIST, verdict: 'pay', code: 'price_ok' }),
];

describe('the skips by how grave they are', () => {
  const service = useService({});

  it('a first run: groups, the gravest, no news and no trend', async () => {
    await publishCrawl(service.store.runs, 'run-1', ROWS);
    const page = await service.ask('/v1/skips');
    const words = wordsOf(page);
    expectUnbroken(page);
    const headings = [...page.text.matchAll(/<h3 id="([a-z_]+)">([^<]+)/g)].map(([, id, title]) => [
      id,
      title,
    ]);
    expect(headings).toEqual([
      ['differs', 'Asks for other terms than listed'],
      ['unpayable', 'Cannot be paid'],
      ['no_endpoint', 'Not an endpoint'],
      ['set_aside', 'Set aside'],
    ]);
    const ids = [...page.text.matchAll(/<tr id="([0-9a-f]{10})">/g)].map(([, id]) => id);
    const numbers = [10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 2, 1, 3];
    expect(ids).toEqual(numbers.map(crawlId));
    expect(words).toContain('10 in this run. Payee differs: 2 Price differs: 8');
    expect(page.text).toContain(`href="${BASE_URL}/v1/skips?reason=pay_to_mismatch">Payee differs: 2</a>`);
    expect(words).toContain(
      '12 of 14 listed x402 endpoints (85.7 %) have the verdict skip; 10 of them ask for',
    );
    const gravest = /<ol>[\s\S]*?<\/ol>/.exec(page.text)?.[0] ?? '';
    expect(wordsOf({ text: gravest }).trim()).toBe(
      [
        'GET https://a.example/000020 asks to pay another address than listed',
        'GET https://a.example/000021 asks to pay another address than listed',
        'GET https://a.example/000017 asks $0.09 instead of $0.01',
        'GET https://a.example/000016 asks $0.08 instead of $0.01',
        'GET https://a.example/000015 asks $0.07 instead of $0.01',
      ].join(' '),
    );
    expect(words).toContain('This is the first crawl');
    expect(words).toContain('One crawl is published so far.');
    expect(words).not.toMatch(/New this week|New skips/);
  });

  it('a verdict that was corrected is no longer among the gravest', async () => {
    await service.store.corrections.add({
      ...{ receiptId: crawlId(20), at: afterNoon(1), was: 'skip', is: 'pay', because: 'a fault of ours' },
    });
    service.at('2026-11-15T12:00:02.000Z');
    const { text } = await service.ask('/v1/skips');
    const gravest = /<ol>[\s\S]*?<\/ol>/.exec(text)?.[0] ?? '';
    expect([gravest.includes(crawlId(20)), gravest.includes(crawlId(21))]).toEqual([false, true]);
    expect(gravest.split('<li>')).toHaveLength(6);
  });

  it('a list with nothing compared names the one where its endpoints are', async () => {
    const words = wordsOf(await service.ask('/v1/skips'));
    expect(words).toContain('copied 14 Its 14 endpoints are compared under bazaar.');
    expect(words).toContain('paid-list Not read, so nothing is known about it. skipped: asks for a payment');
  });

  it('every row leads to its host, without the port, and the page to the method', async () => {
    const { text } = await service.ask('/v1/skips');
    for (const [id, host] of [
      [crawlId(3), 'shop.example'],
      [crawlId(10), 'a.example'],
    ]) {
      const row = text.split(`<tr id="${id}">`)[1]?.split('</tr>')[0] ?? '';
      expect(row).toContain(`href="/hosts/${host}"`);
    }
    expect(text).toContain('href="/method"');
  });

  it('can be cited: an address, a sentence with the numbers, and the same view as JSON', async () => {
    const { text } = await service.ask('/v1/skips?reason=no_paywall&host=a.example');
    const view = 'reason=no_paywall&amp;host=a.example';
    expect(text).toContain(`<link rel="canonical" href="${BASE_URL}/v1/skips?${view}">`);
    expect(text).toContain(`type="application/json" href="${BASE_URL}/v1/skips.json?${view}">`);
    const words =
      '12 of 14 listed x402 endpoints (85.7\u00a0%) have the verdict skip; 10 of them ask for other terms than listed. Crawled 2026-11-15.';
    for (const name of ['name="description"', 'property="og:description"']) {
      expect(text).toContain(`<meta ${name} content="${words}">`);
    }
  });

  it('JSON and CSV keep the order of the URLs', async () => {
    const { json } = await service.ask('/v1/skips.json');
    const urls = json.skips.map(({ url }: { url: string }) => url);
    expect(urls).toEqual(urls.toSorted());
    const csv = (await service.ask('/v1/skips.csv')).text;
    expect(csv.indexOf(crawlId(20))).toBeLessThan(csv.indexOf(crawlId(1)));
  });

  it('a filtered view has the groups of its rows, and neither panel nor charts', async () => {
    const page = await service.ask('/v1/skips?reason=path_template');
    expect([...page.text.matchAll(/<h3/g)]).toHaveLength(1);
    expect(wordsOf(page)).toContain('Not an endpoint');
    expect(page.text).not.toMatch(/id="gravest"|class="chart/);
    expectUnbroken(page);
  });

  it('a second run: what is new, and the trend with its numbers', async () => {
    const rows = [...ROWS.slice(0, 1), crawlRow(30), crawlRow(31, { verdict: 'pay', code: 'price_ok' })];
    const again = rows.map(({ urlKey, receipt }, n) => ({
      urlKey,
      receipt: { ...receipt, id: crawlId(100 + n) },
    }));
    await publishCrawl(service.store.runs, 'run-2', again, {
      crawledAt: afterNoon(1_000),
      previousRun: afterNoon(0),
    });
    service.at('2026-11-15T12:01:00.000Z');
    const words = wordsOf(await service.ask('/v1/skips'));
    expect(words).toContain('New this week 2');
    expect(words).toContain('New skips 1');
    expect(words).toContain('Skip 85.7 %, then 66.7 %; Differs from the list 71.4 %, then 33.3 %');
    expect(words).toContain('2026-11-15 14 12 (85.7 %) 10 (71.4 %) 2026-11-15 3 2 (66.7 %) 1 (33.3 %)');
  });

  it('who asks less than a list says costs nobody anything, however much the list says', async () => {
    const cheap = Array.from({ length: 12 }, (_, n) =>
      crawlRow(40 + n, { claimedPrice: microUsd(5_000_000_000n), quotedPrice: microUsd(10_000n) }),
    );
    const dear = crawlRow(60, { claimedPrice: microUsd(10_000n), quotedPrice: microUsd(50_000n) });
    await publishCrawl(service.store.runs, 'run-3', [...cheap, dear], { crawledAt: afterNoon(2_000) });
    service.at('2026-11-15T12:02:00.000Z');
    const { text } = await service.ask('/v1/skips');
    const gravest = /<ol>[\s\S]*?<\/ol>/.exec(text)?.[0] ?? '';
    expect(wordsOf({ text: gravest }).trim()).toBe(
      'GET https://a.example/000060 asks $0.05 instead of $0.01',
    );
  });
});
