import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlReceipt } from '../../../src/core/receipt/crawl-receipt.ts';
import { crawlId, crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BASE_URL, DOORS, startService, type TestService } from '../../support/running/running-service.ts';

/** What a hostile seller or list would like to see on our page. */
const HOSTILE: readonly Partial<CrawlReceipt>[] = [
  { url: 'https://a.example/"><script>alert(1)</script>' },
  { url: "https://a.example/' onmouseover='alert(1)" },
  { url: 'https://a.example/{{constructor.constructor("alert(1)")()}}' },
  { reason: '</td></table><img src=x onerror=alert(1)>' },
  { reason: '<!--' },
  { reason: '&lt;script&gt; &amp; "quoted"' },
  { sourceList: 'javascript:alert(1)' },
  { sourceList: '"><a href="javascript:alert(1)">list</a>' },
  { sourceList: '<style>*{display:none}</style>' },
  { sourceList: '\u202egnp.exe' },
];

describe.each(DOORS)('GET /v1/skips, the page for people, through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);

  beforeAll(async () => {
    service = await startService({ door });
    const hostile = HOSTILE.map((changes, n) => crawlRow(n + 1, changes));
    const plain = Array.from({ length: 600 }, (_, n) => crawlRow(n + 100));
    const paid = crawlRow(9_000, {
      verdict: 'pay',
      code: 'price_ok',
      url: 'https://a.example/paid',
      reason: 'matches listing',
    });
    await publishCrawl(service.store.runs, 'run-1', [...hostile, ...plain, paid]);
  });
  afterAll(() => service.close());

  it('200: HTML with totals and the time of the crawl', async () => {
    const { status, text, header } = await ask('/v1/skips');
    expect(status).toBe(200);
    expect(header('content-type')).toBe('text/html; charset=utf-8');
    const shown = text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    for (const total of ['Endpoints covered 611', 'Skip 610', 'Pay 1', 'Recheck 0']) {
      expect(shown).toContain(total);
    }
    expect(text).toContain('datetime="2026-11-15T12:00:00.000Z"');
    expect(shown).not.toContain('https://a.example/paid');
  });

  it('every row has the anchor of its receipt and leads to it', async () => {
    const pages = [(await ask('/v1/skips')).text, (await ask('/v1/skips?page=2')).text];
    const anchors = pages.map((text) => [...text.matchAll(/<tr id="([0-9a-f]{10})">/g)].map(([, id]) => id));
    expect(anchors.map((ids) => ids.length)).toEqual([500, 110]);
    expect(new Set(anchors.flat()).size).toBe(610);
    for (const [page, ids] of anchors.entries()) {
      for (const id of ids) expect(pages[page]).toContain(`href="${BASE_URL}/v1/receipts/${id}"`);
    }
  });

  it.each([
    [1, [], ['page=2']],
    [2, ['page=1'], []],
  ])('page %i has links to its neighbours', async (page, prev, next) => {
    const { text, header } = await ask(`/v1/skips?page=${page}`);
    const links = (relation: string) =>
      new Set(
        [...text.matchAll(new RegExp(`<a rel="${relation}" href="[^"?]*/v1/skips\\?([^"]*)"`, 'g'))].map(
          ([, query]) => query,
        ),
      );
    expect([...links('prev')]).toEqual(prev);
    expect([...links('next')]).toEqual(next);
    expect(header('link')).toContain(`<${BASE_URL}/v1/skips?page=2>; rel="last"`);
  });

  it('nothing that a stranger wrote becomes markup', async () => {
    for (const page of [1, 2]) {
      const { text } = await ask(`/v1/skips?page=${page}`);
      expect(text).not.toMatch(/<(?:script|style|img|!--)/i);
      const attributes = [...text.matchAll(/<[a-z][^\s>]*([^>]*)>/gi)].flatMap(([, rest = '']) =>
        [...rest.replace(/"[^"]*"/g, '""').matchAll(/([^\s=>]+)=/g)].map(([, name = '']) => name),
      );
      expect(attributes.filter((name) => /^(?:on.*|style|srcdoc|src)$/i.test(name))).toEqual([]);
      const targets = [...text.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target);
      expect(
        targets.filter(
          (target) => !/^(?:\/(?!\/)|#[a-z-]+$)/.test(target) && !target.startsWith(`${BASE_URL}/`),
        ),
      ).toEqual([]);
    }
  });

  it.each([
    ['a script', '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['an attribute', '&#39; onmouseover=&#39;alert(1)'],
    ['an image', '&lt;/td&gt;&lt;/table&gt;&lt;img src=x onerror=alert(1)&gt;'],
    ['what is already escaped', '&amp;lt;script&amp;gt; &amp;amp; &quot;quoted&quot;'],
  ])('%s is shown as text', async (_, escaped) => {
    const { text } = await ask('/v1/skips?page=2');
    expect(`${(await ask('/v1/skips')).text}${text}`.replaceAll('<wbr>', '')).toContain(escaped);
  });

  it('JSON has the same strings as they are', async () => {
    const rows = [
      ...(await ask('/v1/skips.json')).json.skips,
      ...(await ask('/v1/skips.json?page=2')).json.skips,
    ];
    for (const [n, { reason, sourceList, url }] of HOSTILE.entries()) {
      const row = rows.find(({ id }) => id === crawlId(n + 1));
      if (url !== undefined) expect(row.url).toBe(url);
      if (reason !== undefined) expect(row.reason).toBe(reason);
      if (sourceList !== undefined) expect(row.source_list).toBe(sourceList);
    }
  });

  it('is locked against scripts: no inline script or style, and a policy that allows none', async () => {
    const { text, header } = await ask('/v1/skips');
    const policy = header('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-|script-src|data:|\*/);
    expect(policy).toMatch(/base-uri 'none'.*frame-ancestors 'none'/);
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=[^&]*"/i);
    expect(header('x-content-type-options')).toBe('nosniff');
  });

  it('400 and 404 are problems, not pages', async () => {
    for (const path of ['/v1/skips?page=0', '/v1/skips?page=3']) {
      expect((await ask(path)).header('content-type')).toBe('application/problem+json; charset=utf-8');
    }
  });
});
