import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { BASE } from '../../../tools/samples/challenge.ts';
import { crawlRow, unpublished } from '../../../tools/samples/crawl-rows.ts';
import { network } from '../../../tools/samples/listed.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import {
  BASE_URL,
  DOORS,
  freshAddress,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';

const noPaywall = {
  code: 'no_paywall',
  quotedPrice: null,
  network: null,
  listedNetwork: network(BASE),
} as const;

/** 601 skips without a paywall on one host; a few others that each differ in one thing. */
const ROWS = [
  ...Array.from({ length: 601 }, (_, n) => crawlRow(n + 1, noPaywall)),
  crawlRow(1_001, { url: 'https://b.example/one', sourceList: 'other' }),
  crawlRow(1_002, { url: 'https://b.example:8443/Two', quotedPrice: microUsd(9_000_000n) }),
  crawlRow(1_003, { url: 'https://c.example/three', code: 'ssrf_blocked', network: network('solana') }),
  crawlRow(1_004, { url: 'https://b.example/paid', verdict: 'pay', code: 'price_ok' }),
];

describe.each(DOORS)('filters of the skips through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);
  const numbers = (skips: { id: string }[]) => skips.map(({ id }) => Number.parseInt(id, 16));

  beforeAll(async () => {
    service = await startService({ door });
    await unpublished(service.store.runs, 'unseen', [crawlRow(9_000, { url: 'https://b.example/unseen' })]);
    await publishCrawl(service.store.runs, 'run-1', ROWS);
  });
  afterAll(() => service.close());

  it.each<[string, string, number[]]>([
    ['a reason', 'reason=ssrf_blocked', [1_003]],
    ['a list', 'list=other', [1_001]],
    ['a network', 'network=solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', [1_003]],
    ['a network by its name', 'network=solana', [1_003]],
    ['a host', 'host=b.example', [1_001, 1_002]],
    ['a host in upper case', 'host=B.Example', [1_001, 1_002]],
    ['a part of a URL', 'q=TWO', [1_002]],
    ['several at once', 'host=b.example&list=other&reason=price_mismatch', [1_001]],
    ['the widest gap first', 'sort=price_gap', [1_002, 1_001]],
    ['empty fields, as a form sends them', 'reason=&list=&network=&host=c.example&q=&sort=', [1_003]],
    ['a list nobody has', 'list=unknown', []],
    ['a network nobody has', 'network=eip155:1', []],
    ['no network at all', 'network=<script>', []],
    ['a host nobody has', 'host=nowhere.example', []],
    ['a URL nobody has', 'q=%25', []],
    ['a quote and a comment', 'host=%27%3B--', []],
  ])('%s', async (_, query, expected) => {
    const { status, json } = await ask(`/v1/skips.json?${query}`);
    expect(status).toBe(200);
    expect(numbers(json.skips)).toEqual(expected);
    expect([json.filter.matches, json.page, json.pages, json.next]).toEqual([expected.length, 1, 1, null]);
    const [parameter, html, csv] = [
      await ask(`/v1/skips?format=json&${query}`),
      await ask(`/v1/skips?${query}`),
      await ask(`/v1/skips.csv?${query}`),
    ];
    expect(parameter.json).toEqual(json);
    expect([...html.text.matchAll(/<tr id="/g)]).toHaveLength(expected.length);
    expect(csv.text.split('\r\n')).toHaveLength(expected.length + 2);
  });

  it('the body is that of all skips, with what was asked for as it was understood', async () => {
    const [all, some] = [await ask('/v1/skips.json'), await ask('/v1/skips.json?host=B.example&q=%20One%20')];
    const { skips: _, pages: __, next: ___, ...rest } = all.json;
    const { skips, pages, next, filter, ...same } = some.json;
    expect(same).toEqual(rest);
    expect(all.json).not.toHaveProperty('filter');
    expect(filter).toEqual({
      reason: null,
      list: null,
      network: null,
      host: 'b.example',
      q: 'one',
      sort: 'url',
      matches: 1,
    });
    expect([skips.length, pages, next]).toEqual([1, 1, null]);
  });

  it.each(['/v1/skips.json', '/v1/skips.csv', '/v1/skips'])(
    '%s leads from page to page of a view',
    async (path) => {
      const query = `network=${encodeURIComponent(BASE)}&reason=no_paywall`;
      const second = await ask(`${path}?page=2&${query}`);
      expect(second.status).toBe(200);
      const at = (page: number) => `${BASE_URL}${path}?reason=no_paywall&network=eip155%3A8453&page=${page}`;
      expect(second.header('link')).toContain(
        [`<${at(1)}>; rel="first"`, `<${at(1)}>; rel="prev"`, `<${at(2)}>; rel="last"`].join(', '),
      );
      const next = /<([^>]*)>; rel="next"/.exec((await ask(`${path}?${query}`)).header('link') ?? '')?.[1];
      expect((await ask(next?.slice(BASE_URL.length) ?? '')).text).toBe(second.text);
      expect((await ask(`${path}?page=3&${query}`)).status).toBe(404);
    },
  );

  it('two pages of a view hold every match once, in order', async () => {
    const [first, second] = [
      (await ask('/v1/skips.json?reason=no_paywall')).json,
      (await ask('/v1/skips.json?reason=no_paywall&page=2')).json,
    ];
    expect([first.pages, first.filter.matches, second.prev]).toEqual([
      2,
      601,
      `${BASE_URL}/v1/skips.json?reason=no_paywall&page=1`,
    ]);
    expect(numbers([...first.skips, ...second.skips])).toEqual(Array.from({ length: 601 }, (_, n) => n + 1));
  });

  it('the order of parameters makes no other view', async () => {
    const one = await ask('/v1/skips.json?reason=no_paywall&host=a.example');
    const other = await ask('/v1/skips.json?host=a.example&reason=no_paywall&page=1');
    expect(other.header('etag')).toBe(one.header('etag'));
  });

  it.each([
    ['a reason that is none', 'reason=price_mismatched', 'reason', 'price_mismatch, network_mismatch'],
    ['a reason to pay', 'reason=price_ok', 'reason', 'must be one of'],
    ['a reason of a prototype', 'reason=constructor', 'reason', 'must be one of'],
    ['another order', 'sort=newest', 'sort', 'url or price_gap'],
    ['a search that is too long', `q=${'x'.repeat(101)}`, 'q', 'at most 100'],
    ['a host that is too long', `host=${'x'.repeat(256)}`, 'host', 'at most 255'],
    ['a list with a NUL', 'list=a%00b', 'list', 'control characters'],
    ['a search with a line break', 'q=a%0Ab', 'q', 'control characters'],
    ['a reason twice', 'reason=no_paywall&reason=no_paywall', 'reason', 'once'],
  ])('400: %s', async (_, query, field, words) => {
    for (const path of ['/v1/skips', '/v1/skips.json', '/v1/skips.csv']) {
      const { status, json } = await ask(`${path}?${query}`);
      expect([status, json.field]).toEqual([400, field]);
      expect(json.detail).toContain(words);
    }
  });

  it('a filtered view is tagged and kept like any other', async () => {
    const first = await ask('/v1/skips.json?q=one');
    expect(first.header('cache-control')).toBe('public, max-age=60');
    const headers = { 'if-none-match': first.header('etag') ?? '' };
    expect((await ask('/v1/skips.json?q=one', { headers })).status).toBe(304);
  });

  it('who searches for many things at once takes no search from others', async () => {
    const from = freshAddress();
    const many = Array.from({ length: 18 }, (_, n) => ask(`/v1/skips.json?q=many-${n}`, { from }));
    const other = ask('/v1/skips.json?q=other', { from: freshAddress() });
    expect((await other).status).toBe(200);
    await Promise.all(many);
  });

  it('a thousand different searches at once are answered or sent away, and the list still stands', async () => {
    const asked = Array.from({ length: 1_000 }, (_, n) => ask(`/v1/skips.json?q=search-${n}`));
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await ask('/v1/skips.json')).status).toBe(200);
    expect((await ask('/v1/skips.json?q=search-after')).status).toBe(200);
  });
});

describe('filters before the first run', () => {
  it('find nothing', async () => {
    const service = await startService();
    const { status, json } = await service.ask('/v1/skips.json?q=x');
    expect([status, json.skips, json.filter.matches, json.pages]).toEqual([200, [], 0, 1]);
    expect((await service.ask('/v1/skips.json?q=x&page=2')).status).toBe(404);
    await service.close();
  });
});
