import { describe, expect, it } from 'vitest';
import { EXEMPT, LOOKUP, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { ALT_URL, BASE_URL, BOTH_DOORS, LEGACY_URL } from '../../support/running/running-service.ts';

const PAYER = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const at = (url: string) => `endpoint=${encodeURIComponent(url)}`;

describe.each(BOTH_DOORS)('GET /v1/lookup through the %s', (door) => {
  const service = useService({ door });

  describe('200', () => {
    it('services of a task, sorted, with what is known about them', async () => {
      const { status, json, header } = await service.ask('/v1/lookup?task=weather');
      expect(status).toBe(200);
      expect(header('content-type')).toBe('application/json; charset=utf-8');
      expect(header('cache-control')).toBe('no-store');
      expect(json).toEqual({
        query: { task: 'weather', max_price_usd: null, n: 5, limit: 10, endpoint: null },
        matched: 2,
        total: 2,
        results: [
          {
            id: 'plain-weather',
            name: 'Plain Weather',
            provider: 'Example Instruments',
            description: 'Current temperature and wind for a pair of coordinates.',
            endpoint: 'https://weather.example.com/v1/now',
            method: 'GET',
            example: { method: 'GET', url: 'https://weather.example.com/v1/now', body: null },
            price_usd: '0.01',
            price_asset: 'USDC',
            network: 'eip155:8453',
            tasks: ['weather'],
            graded_receipts: 0,
            passed_receipts: 0,
            receipts_considered: 0,
            quality_test: null,
            last_check: null,
            newest_receipt_at: null,
            stale: true,
            listed_pay_to: null,
            pay_to: [],
            receipts: [],
            pass_rate: null,
            pass_rate_low: null,
            delivered_rate: null,
          },
          expect.objectContaining({ id: 'dear-weather', price_usd: '0.05' }),
        ],
        facts_only: [],
        sorting: 'pass_rate descending with null last, then price ascending, then id',
        links: {
          tasks: `${BASE_URL}/v1/tasks`,
          receipts: `${BASE_URL}/v1/receipts`,
          skips: `${BASE_URL}/v1/skips`,
          openapi: `${BASE_URL}/openapi.json`,
        },
        generated_at: '2026-11-15T12:00:00.000Z',
        access: {
          tier: 'free',
          free_per_day: 5,
          free_used_today: 1,
          free_remaining_today: 4,
          // biome-ignore lint/suspicious/noThenProperty: the interface names this field.
          then: '0.02 USD per lookup, paid with x402',
        },
      });
    });

    it.each<[string, string, string[], object]>([
      ['a task by its name', 'task=web-search', ['search-one'], { task: 'web-search', endpoint: null }],
      ['a task in other letters (G21)', 'task=Web%20%20SEARCH!', ['search-one'], { task: 'web-search' }],
      ['an unknown task by all its words (G21)', 'task=plain+Instruments', ['plain-weather'], {}],
      ['no service that lacks one of the words', 'task=plain+search', [], {}],
      ['a price that is met exactly', 'task=weather&max_price=0.01', ['plain-weather'], {}],
      ['a price just missed', 'task=weather&max_price=0.049999', ['plain-weather'], {}],
      ['a price missed by a hair', 'task=weather&max_price=0.0499999', ['plain-weather'], {}],
      ['a price met by a hair', 'task=weather&max_price=0.0500009', ['plain-weather', 'dear-weather'], {}],
      ['a price that both meet', 'task=weather&max_price=0.050', ['plain-weather', 'dear-weather'], {}],
      ['nothing for nothing', 'task=weather&max_price=0', [], { max_price_usd: '0' }],
      [
        'prices to the millionth',
        'task=web-search&max_price=1.0000009',
        ['search-one'],
        { max_price_usd: '1' },
      ],
      ['at most limit services', 'task=weather&limit=1', ['plain-weather'], { limit: 1 }],
      ['the largest n and limit', 'task=web-search&n=20&limit=20', ['search-one'], { n: 20, limit: 20 }],
      ['the smallest n', 'task=web-search&n=1', ['search-one'], { n: 1, limit: 10 }],
      [
        'a service by its id',
        'endpoint=plain-weather',
        ['plain-weather'],
        { endpoint: 'plain-weather', task: null },
      ],
      ['an id in other letters', 'endpoint=Plain-Weather', ['plain-weather'], {}],
      ['a service by its URL', at('https://weather.example.com/v1/now'), ['plain-weather'], {}],
      [
        'its URL in another spelling (G22)',
        at('HTTPS://Weather.Example.com:443/v1/now/#top'),
        ['plain-weather'],
        {},
      ],
      ['no URL by its beginning (G22)', at('https://weather.example.com/v1'), [], {}],
      ['no URL by its host', at('https://weather.example.com'), [], {}],
      ['no longer URL', at('https://weather.example.com/v1/now/today'), [], {}],
      ['no other query', at('https://weather.example.com/v1/now?x=1'), [], {}],
      ['no other scheme', at('http://weather.example.com/v1/now'), [], {}],
      ['no id by its beginning', 'endpoint=plain', [], {}],
      ['no member of the object prototype', 'endpoint=constructor', [], {}],
      ['no task of the object prototype', 'task=__proto__', [], { task: 'proto' }],
      [
        'the endpoint, which replaces the task (G20)',
        'task=web-search&endpoint=plain-weather',
        ['plain-weather'],
        { task: null },
      ],
      ['an endpoint above the price', 'endpoint=dear-weather&max_price=0.01', [], {}],
    ])('finds %s', async (_, query, ids, understood) => {
      const { status, json } = await service.ask(`${LOOKUP}?${query}`);
      expect(status).toBe(200);
      expect(json.results.map(({ id }: { id: string }) => id)).toEqual(ids);
      expect(json.query).toMatchObject(understood);
    });

    it('counts what matched before the limit', async () => {
      const { json } = await service.ask('/v1/lookup?task=weather&limit=1');
      expect([json.matched, json.total, json.results.length]).toEqual([2, 2, 1]);
    });

    it('suggests the nearest tasks when nothing matched, and only then (G21)', async () => {
      const { json } = await service.ask('/v1/lookup?task=wether');
      expect(json).toMatchObject({ matched: 0, results: [], facts_only: [] });
      expect(json.suggestions).toEqual(['weather']);
      expect((await service.ask('/v1/lookup?task=image+generation')).json.suggestions).toEqual([]);
      expect((await service.ask('/v1/lookup?task=weather')).json).not.toHaveProperty('suggestions');
    });

    it('leads to the receipts of a URL that only the crawl knows', async () => {
      const url = 'https://listed.example/x?b=2&a=1';
      await publishCrawl(service.store.runs, `run-${door}`, [crawled(url, { id: '00000000a1' })]);
      const { json } = await service.ask(`${LOOKUP}?${at(url)}`);
      expect([json.matched, json.results, json.suggestions]).toEqual([0, [], []]);
      expect(json.links.receipts_by_url).toBe(
        `${BASE_URL}/v1/receipts/by-url?url=${encodeURIComponent('https://listed.example/x?b=2&a=1')}`,
      );
      const { pathname, search } = new URL(json.links.receipts_by_url);
      expect((await service.ask(pathname + search)).json.latest_crawl.id).toBe('00000000a1');
    });

    it.each([
      ['nobody knows', at('https://nobody.example/x')],
      ['is a service', at('https://weather.example.com/v1/now')],
      ['is none', 'endpoint=listed.example'],
    ])('and to no receipts of a URL that %s', async (_, query) => {
      const { json } = await service.ask(`${LOOKUP}?${query}`);
      expect(json.links).not.toHaveProperty('receipts_by_url');
    });

    it.each<[string, string]>([
      ['a client of 64 characters', `client=${'a'.repeat(64)}`],
      ['a client of all kinds of characters', 'client=A-z_0.9'],
      ['a ref', 'ref=Campaign-7'],
      ['a payer', `payer=${PAYER}`],
      ['names nobody knows', 'fresh=1&client[]=$$$&CLIENT=$$$&N=99&limit[]=99&__proto__[n]=99'],
      ['an unknown name twice', 'utm=1&utm=2'],
    ])('takes %s', async (_, extra) => {
      const { status, json } = await service.ask(`${LOOKUP}?task=weather&${extra}`);
      expect(status).toBe(200);
      expect(json.query).toEqual({ task: 'weather', max_price_usd: null, n: 5, limit: 10, endpoint: null });
    });

    it.each<[string, string, string]>([
      ['the base address', 'assay.example.org', BASE_URL],
      ['the alternative address', 'alt.example.org', ALT_URL],
      ['the alternative address in capitals', 'ALT.example.org', ALT_URL],
      ['the legacy address', 'legacy.example.net', LEGACY_URL],
      ['a Host that is not ours', 'evil.example.com', BASE_URL],
    ])('links under %s (G80)', async (_, host, base) => {
      const { json } = await service.ask('/v1/lookup?task=weather', { headers: { host } });
      expect(json.links.tasks).toBe(`${base}/v1/tasks`);
    });

    it('is the same to everybody but for access and the time (G94)', async () => {
      const { generated_at, access, ...free } = (await service.ask('/v1/lookup?task=weather&n=3')).json;
      service.at('2026-11-15T13:00:00.000Z');
      const exempt = (await service.ask('/v1/lookup?task=weather&n=3', { headers: EXEMPT })).json;
      expect(exempt).toEqual({
        ...free,
        generated_at: '2026-11-15T13:00:00.000Z',
        access: { tier: 'exempt', note: expect.any(String) },
      });
      expect([generated_at, access.tier]).toEqual(['2026-11-15T12:00:00.000Z', 'free']);
    });
  });
});
