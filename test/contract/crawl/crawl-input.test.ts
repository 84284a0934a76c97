import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSources } from '../../../src/adapters/discovery/create-sources.ts';
import type { Store } from '../../../src/adapters/store/store.ts';
import { readLists } from '../../../src/core/crawl/list-settings.ts';
import type { CrawlReceipt } from '../../../src/core/receipt/crawl-receipt.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import { ENTRY } from '../../../tools/samples/challenge.ts';
import { ownAddress } from '../../../tools/samples/own-address.ts';
import { startCrawlWorld } from '../../support/crawling/crawl-world.ts';
import { askedOf, carefulSeller } from '../../support/probing/careful-seller.ts';
import { type FakeSeller, startSeller } from '../../support/probing/fake-seller.ts';
import { probingHarness } from '../../support/probing/probing.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';
import { readingParts } from '../discovery/discovery-server.ts';

const input = (described: object, schema?: object) => ({
  extensions: { bazaar: { info: { input: described }, ...(schema === undefined ? {} : { schema }) } },
});
const schemaOf = (group: string, described: object) => ({
  properties: { input: { properties: { [group]: described } } },
});
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const URLS: Readonly<Record<string, object>> = {
  'http://a.example/query': input({ method: 'GET', queryParams: { q: 'tea' } }),
  'http://b.example/body': input({ method: 'POST', body: { city: 'Bern' } }),
  'http://c.example/body': input({ method: 'POST' }, schemaOf('body', CITY)),
  'http://d.example/post-only': { method: 'GET', ...input({ method: 'POST', body: { city: 'Bern' } }) },
  'http://e.example/item/:id': input({ method: 'GET', pathParams: { id: '7' } }),
  'http://f.example/item/:id': input({ method: 'GET' }),
  'http://g.example/item/:id': input({ method: 'GET', pathParams: { id: '8' } }),
  'http://h.example/never': input({ method: 'GET', queryParams: { q: 'tea' } }),
  'http://i.example/login': input({ method: 'GET', queryParams: { q: 'tea' } }),
  'http://j.example/open': input({ method: 'POST', body: { city: 'Bern' } }),
  'http://k.example/act': input({ method: 'POST', body: { city: 'Bern' } }),
  // The path names an action: nothing that we made up is sent there.
  'http://l.example/send': input({ method: 'POST' }, schemaOf('body', CITY)),
  'http://m.example/body': {
    description: 'Sends a letter to a city',
    ...input({ method: 'POST' }, schemaOf('body', CITY)),
  },
};

/** What reached the seller of each host in one run. */
type Seen = Readonly<Record<string, string[]>>;

describe('a crawl of endpoints that look at their input first (G100)', () => {
  let seller: FakeSeller;
  let store: Store;
  const closing: (() => Promise<unknown>)[] = [];
  const lists = readLists([{ name: 'a-list', format: 'json', url: 'https://list.example.com/api' }]);

  const crawlOnce = async (): Promise<Seen> => {
    if (lists.kind === 'invalid') throw new Error(lists.field);
    const entries = Object.entries(URLS).map(([url, more]) => ({ resource: url, accepts: [ENTRY], ...more }));
    const sources = createSources(
      lists.lists,
      readingParts({ fetch: async () => new Response(JSON.stringify({ items: entries })) }),
    );
    const world = await startCrawlWorld(sources);
    closing.push(world.close);
    const { openHost } = probingHarness(seller.port, {
      timeoutMs: 30_000,
      resolve: async (name) => ({ kind: 'addresses', addresses: [ownAddress(name)] }),
    });
    seller.requests.splice(0);
    const crawled = await crawl({ always: true, publishAnyway: true }, world.parts(store, { openHost }));
    expect(crawled.kind).toBe('published');
    const seen: Record<string, string[]> = {};
    for (const request of seller.requests) {
      const [, host = ''] = /\r\nhost: (\S)/i.exec(request) ?? [];
      seen[host] = [...(seen[host] ?? []), ...askedOf([request])];
    }
    return seen;
  };
  const receipts = async (): Promise<ReadonlyMap<string, CrawlReceipt>> => {
    const run = await store.runs.latest();
    const rows = await store.runs.page(run?.id ?? '', 'all', 1);
    return new Map(rows.map((receipt) => [/\/\/(\S)/.exec(receipt.url)?.[1] ?? '', receipt]));
  };

  beforeAll(async () => {
    seller = await startSeller(carefulSeller);
    const place = await newSqlitePlace();
    closing.push(seller.close, place.remove);
    store = await place.open();
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  it('sends at most two requests to each, and says what it found', { timeout: 60_000 }, async () => {
    const seen = await crawlOnce();
    const found = await receipts();
    const said = (host: string) => {
      const receipt = found.get(host);
      return [receipt?.verdict, receipt?.code, receipt?.input?.source ?? null, seen[host] ?? []];
    };
    expect(said('a')).toEqual(['pay', 'price_ok', 'listing_example', ['GET /query', 'GET /query?q=tea']]);
    expect(said('b')).toEqual([
      'pay',
      'price_ok',
      'listing_example',
      ['POST /body {}', 'POST /body {"city":"Bern"}'],
    ]);
    expect(said('c')).toEqual([
      'pay',
      'price_ok',
      'listing_schema',
      ['POST /body {}', 'POST /body {"city":"London"}'],
    ]);
    expect(said('d')).toEqual([
      'pay',
      'price_ok',
      'listing_example',
      ['GET /post-only', 'POST /post-only {"city":"Bern"}'],
    ]);
    expect(said('e')).toEqual(['pay', 'price_ok', 'listing_example', ['GET /item/7']]);
    expect(said('f')).toEqual(['skip', 'path_template', null, []]);
    expect(said('g')).toEqual(['skip', 'needs_input', 'listing_example', ['GET /item/8']]);
    expect(said('h')).toEqual(['skip', 'needs_input', 'listing_example', ['GET /never', 'GET /never?q=tea']]);
    expect(said('i')).toEqual(['skip', 'no_paywall', null, ['GET /login']]);
    expect(said('j')).toEqual([
      'skip',
      'no_paywall',
      'listing_example',
      ['POST /open {}', 'POST /open {"city":"Bern"}'],
    ]);
    expect(said('k')).toEqual(['skip', 'no_paywall', null, ['POST /act {}']]);
    expect(said('l')).toEqual(['skip', 'needs_input', null, ['POST /send {}']]);
    expect(said('m')).toEqual(['skip', 'needs_input', null, ['POST /body {}']]);
    expect(found.get('e')?.url).toBe('http://e.example/item/:id');
    expect(found.get('d')?.method).toBe('POST');
    expect(found.get('h')).toMatchObject({
      reason: 'no 402 challenge (HTTP 400)',
      needsInput: { tried: 'listing_example', example: { q: 'tea' } },
    });
  });

  it('sets them aside: listed as skips, and counted as none', async () => {
    const run = await store.runs.latest();
    expect(run?.summary).toMatchObject({ needsInput: 4, verdicts: { skip: 8, pay: 5 } });
    expect(run?.summary.facets).toMatchObject({ newSkips: 4 });
    const filter = {
      reason: 'needs_input',
      list: null,
      network: null,
      host: null,
      search: null,
      sort: 'url',
    } as const;
    expect(await store.runs.countSkips(run?.id ?? '', { filter, lead: 'reason' })).toMatchObject({
      matches: 4,
    });
  });

  it('the next run sends no input where it was served for nothing', { timeout: 60_000 }, async () => {
    const seen = await crawlOnce();
    expect(seen['j']).toEqual(['POST /open {}']);
    expect(seen['b']).toHaveLength(2);
    expect((await receipts()).get('j')?.code).toBe('needs_input');
  });
});
