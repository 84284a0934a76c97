import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlId, crawlRow, unpublished } from '../../../tools/samples/crawl-rows.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import {
  ALT_URL,
  BASE_URL,
  DOORS,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';

/** 1,201 rows in the order of their URLs: 1,001 to skip, 150 to pay, 50 to ask again. */
const ROWS = Array.from({ length: 1_201 }, (_, index) => {
  const n = index + 1;
  if (n <= 150) return crawlRow(n, { verdict: 'pay', code: 'price_ok', reason: 'matches listing' });
  if (n <= 200) return crawlRow(n, { verdict: 'recheck', code: 'timeout', reason: 'timeout after 5 s' });
  return crawlRow(n);
});

describe.each(DOORS)('GET /v1/skips.json through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);
  const idsAt = async (path: string): Promise<string[]> =>
    (await ask(path)).json.skips.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    service = await startService({ door });
    await unpublished(service.store.runs, 'unseen', [crawlRow(9_000)]);
    const previousRun = new Date('2026-11-08T12:00:00.000Z');
    await publishCrawl(service.store.runs, 'run-1', ROWS, { previousRun });
  });
  afterAll(() => service.close());

  it('200: the summary with every member and no other', async () => {
    const { status, json, header } = await ask('/v1/skips.json');
    expect(status).toBe(200);
    expect(header('content-type')).toBe('application/json; charset=utf-8');
    const { skips, ...summary } = json;
    expect(skips).toHaveLength(500);
    expect(summary).toEqual({
      endpoints_covered: 1_201,
      new_this_week: 1_201,
      previous_run: '2026-11-08T12:00:00.000Z',
      crawled_at: '2026-11-15T12:00:00.000Z',
      total_receipts: 1_201,
      skip: 1_001,
      pay: 150,
      recheck: 50,
      needs_input: 0,
      check_type: 'self-checked',
      lists: { 'first-list': 1_201 },
      listed_in: { 'first-list': 1_201, 'second-list': 1_201 },
      sources: {
        'first-list': { ok: true, items: 3, note: 'read in 2 pages' },
        'paid-list': { ok: false, skipped: true, note: 'asks for a payment' },
      },
      dedupe: expect.stringContaining('sorted query'),
      method: expect.stringContaining('one unpaid GET or POST'),
      spot_check: expect.stringContaining(`GET ${BASE_URL}/v1/products/endpoint-spot-check?url=`),
      featured_mismatch: `${BASE_URL}/v1/receipts/${crawlId(201)}`,
      skip_pages: 3,
      page_size: 500,
      page: 1,
      pages: 3,
      next: `${BASE_URL}/v1/skips.json?page=2`,
      prev: null,
      receipts: `${BASE_URL}/v1/receipts`,
      skips_html: `${BASE_URL}/v1/skips`,
      skips_json: `${BASE_URL}/v1/skips.json`,
      receipt_by_url: `${BASE_URL}/v1/receipts/by-url?url={url}`,
    });
  });

  it('a row is a crawl receipt with its permalink', async () => {
    expect((await ask('/v1/skips.json')).json.skips[0]).toEqual({
      id: '00000000c9',
      url: 'https://a.example/000201',
      claimed_price_usd: 0.01,
      quoted_price_usd: 0.05,
      pay_to: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
      verdict: 'skip',
      reason: 'price mismatch: listed $0.01, 402 asks $0.05',
      timestamp: '2026-11-15T12:00:00.000Z',
      source_list: 'first-list',
      check_type: 'self-checked',
      method: 'GET',
      http_status: 402,
      network: 'eip155:8453',
      listed_network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      listed_pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      permalink: `${BASE_URL}/v1/receipts/00000000c9`,
    });
  });

  it('?format=json is the same body', async () => {
    const [path, parameter] = [await ask('/v1/skips.json'), await ask('/v1/skips?format=json')];
    expect(parameter.text).toBe(path.text);
    expect(parameter.header('etag')).toBe(path.header('etag'));
  });

  it('three pages hold every skip once, in order', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => idsAt(`/v1/skips.json?page=${page}`)));
    expect(pages.map((ids) => ids.length)).toEqual([500, 500, 1]);
    expect(pages.flat()).toEqual(Array.from({ length: 1_001 }, (_, index) => crawlId(201 + index)));
  });

  it.each([
    ['first', 201, '/v1/skips'],
    ['last of page 1', 700, '/v1/skips'],
    ['first of page 2', 701, '/v1/skips?page=2'],
    ['last of page 2', 1_200, '/v1/skips?page=2'],
    ['last', 1_201, '/v1/skips?page=3'],
  ])('on_page of the %s row leads to the row (G104)', async (_, n, page) => {
    const id = crawlId(n);
    const { json } = await ask(`/v1/receipts/${id}`);
    expect(json.on_page).toBe(`${BASE_URL}${page}#${id}`);
    const html = await ask(`/v1/receipts/${id}`, { headers: { accept: 'text/html' } });
    expect(html.text).toContain(`${page}#${id}`);
    const { pathname, search } = new URL(json.on_page);
    expect((await ask(pathname + search)).text).toContain(`<tr id="${id}">`);
  });

  it.each([
    ['first', 1, null, 2],
    ['middle', 2, 1, 3],
    ['last', 3, 2, null],
  ])('the %s page leads to its neighbours, in the body and in Link', async (_, page, prev, next) => {
    const { json, header } = await ask(`/v1/skips.json?page=${page}`);
    const url = (target: number | null) =>
      target === null ? null : `${BASE_URL}/v1/skips.json?page=${target}`;
    expect([json.page, json.pages, json.prev, json.next]).toEqual([page, 3, url(prev), url(next)]);
    const relations = [
      [`<${url(1)}>; rel="first"`],
      prev === null ? [] : [`<${url(prev)}>; rel="prev"`],
      next === null ? [] : [`<${url(next)}>; rel="next"`],
      [`<${url(3)}>; rel="last"`],
    ];
    expect(header('link')).toBe(relations.flat().join(', '));
  });

  it('links stay under the address that was called', async () => {
    const { json, header } = await ask('/v1/skips.json', { headers: { host: 'alt.example.org' } });
    expect(json.next).toBe(`${ALT_URL}/v1/skips.json?page=2`);
    expect(json.skips[0].permalink).toBe(`${ALT_URL}/v1/receipts/00000000c9`);
    expect(header('link')).not.toContain(BASE_URL);
  });

  it.each(['/v1/skips', '/v1/skips.json', '/v1/skips?format=json', '/v1/receipts'])(
    'caching of %s: a tag, a short time to keep it, and 304',
    async (path) => {
      const first = await ask(path);
      expect(first.header('cache-control')).toBe('public, max-age=60');
      expect(first.header('etag')).toMatch(/^"[A-Za-z0-9_-]{20,}"$/);
      const headers = { 'if-none-match': `W/"x", ${first.header('etag')}` };
      const again = await ask(path, { headers });
      expect([again.status, again.text]).toEqual([304, '']);
      expect((await ask(path, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    },
  );

  it.each([
    ['the page after the last', '/v1/skips.json?page=4'],
    ['the page after the last, for people', '/v1/skips?page=4'],
    ['the page after the last of all receipts', '/v1/receipts?page=4'],
    ['a page far beyond', '/v1/skips.json?page=999999999'],
  ])('404: %s', async (_, path) => {
    const { status, json } = await ask(path);
    expect([status, json.code]).toEqual([404, 'not_found']);
  });

  it.each(
    ['/v1/skips', '/v1/skips.json', '/v1/receipts'].flatMap((path) =>
      ['0', '-1', '1.5', '1e9', 'abc', '', '2;', '01', '%D9%A1', '9'.repeat(40)].map((page) => [path, page]),
    ),
  )('400: %s?page=%s', async (path, page) => {
    const { status, json } = await ask(`${path}?page=${page}`);
    expect([status, json.code, json.field]).toEqual([400, 'bad_request', 'page']);
  });

  it.each([
    ['another format', '/v1/skips?format=xml', 'format'],
    ['a format in upper case', '/v1/skips?format=JSON', 'format'],
    ['two pages', '/v1/skips.json?page=1&page=1', 'page'],
  ])('400: %s', async (_, path, field) => {
    const { status, json } = await ask(path);
    expect([status, json.field]).toEqual([400, field]);
  });

  describe('all receipts of the run, at /v1/receipts without a type (G57)', () => {
    it('has the summary with receipts as the array, a note, and no skips', async () => {
      const [{ json: all }, { json: skips }] = [await ask('/v1/receipts'), await ask('/v1/skips.json')];
      const { receipts, note, next, ...rest } = all;
      const { skips: _, receipts: __, next: ___, ...summary } = skips;
      expect(rest).toEqual(summary);
      expect(all).not.toHaveProperty('skips');
      expect(note).toMatch(/\w/);
      expect(next).toBe(`${BASE_URL}/v1/receipts?page=2`);
      expect(receipts).toHaveLength(500);
    });

    it('three pages of 500 hold every receipt once, in order', async () => {
      const pages = await Promise.all(
        [1, 2, 3].map(async (page) => (await ask(`/v1/receipts?page=${page}`)).json),
      );
      expect(pages.map(({ page, pages, skip_pages }) => [page, pages, skip_pages])).toEqual([
        [1, 3, 3],
        [2, 3, 3],
        [3, 3, 3],
      ]);
      expect(pages.map(({ receipts }) => receipts.length)).toEqual([500, 500, 201]);
      const ids = pages.flatMap(({ receipts }) => receipts.map(({ id }: { id: string }) => id));
      expect(ids).toEqual(Array.from({ length: 1_201 }, (_, index) => crawlId(index + 1)));
    });

    it('the last page has a previous one and no next', async () => {
      const { json, header } = await ask('/v1/receipts?page=3');
      expect([json.prev, json.next]).toEqual([`${BASE_URL}/v1/receipts?page=2`, null]);
      expect(header('link')).toContain(`<${BASE_URL}/v1/receipts?page=2>; rel="prev"`);
      expect(header('link')).not.toContain('rel="next"');
    });
  });
});
