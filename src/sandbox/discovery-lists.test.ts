import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDiscoveryLists } from './discovery-lists.ts';
import { sellerTable } from './sellers/seller-table.ts';
import { createStops } from './stops.ts';

const stops = createStops();
const sellers = sellerTable().map((seller) => ({ ...seller, url: `http://127.0.1.1:4000/${seller.name}` }));
let lists: Readonly<Record<string, string>>;

beforeAll(async () => {
  lists = await startDiscoveryLists({ sellers, stops, now: () => new Date('2026-11-15T12:34:56.789Z') });
});
afterAll(() => stops.stopAll());

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever an answer holds.
async function read(list: string, query = ''): Promise<any> {
  return (await fetch(`${lists[list]}${query}`)).json();
}

const DOMAIN = { name: 'USD Coin', version: '2' };
const SHOP = '0x1Ad8F6c5c90e085eD4260528fa008C0C68A6c60F';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const V2 = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: USDC,
  payTo: SHOP,
  maxTimeoutSeconds: 60,
  extra: DOMAIN,
};

it.each<[string, object]>([
  [
    'raised-price',
    {
      resource: 'http://127.0.1.1:4000/raised-price',
      type: 'http',
      description: 'Gives a small JSON document.',
      lastUpdated: '2026-11-15T12:34:56.789Z',
      x402Version: 2,
      accepts: [V2],
      extensions: { bazaar: { info: { input: { type: 'http', method: 'GET', queryParams: {} } } } },
    },
  ],
  [
    'hash',
    {
      resource: 'http://127.0.1.1:4000/hash',
      type: 'http',
      description: 'Gives the SHA-256 of a text.',
      lastUpdated: '2026-11-15T12:34:56.789Z',
      x402Version: 2,
      accepts: [V2],
      extensions: {
        bazaar: {
          info: { input: { type: 'http', method: 'POST', bodyType: 'json', body: { text: 'hello' } } },
        },
      },
    },
  ],
  [
    'honest-v1',
    {
      resource: 'http://127.0.1.1:4000/honest-v1',
      type: 'http',
      description: 'Gives a small JSON document.',
      lastUpdated: '2026-11-15T12:34:56.789Z',
      x402Version: 1,
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '10000',
          resource: 'http://127.0.1.1:4000/honest-v1',
          description: 'Gives a small JSON document.',
          mimeType: 'application/json',
          payTo: SHOP,
          maxTimeoutSeconds: 60,
          asset: USDC,
          extra: DOMAIN,
          outputSchema: { input: { type: 'http', method: 'GET', queryParams: {} } },
        },
      ],
    },
  ],
])('the bazaar says what is claimed of %s', async (name, row) => {
  const { items } = await read('bazaar');
  expect(items.filter(({ resource }: { resource: string }) => resource.endsWith(`/${name}`))).toEqual([row]);
});

it.each<[string, object]>([
  ['raised-price', { price_usd: 0.01, payment_network: 'Base', http_method: 'GET' }],
  ['currency', { price_usd: 0.02, payment_network: 'Base', http_method: 'GET' }],
  ['hash', { price_usd: 0.01, payment_network: 'Base', http_method: 'POST' }],
  ['testnet', { price_usd: 0.01, payment_network: 'eip155:84532', http_method: 'GET' }],
])('the index says it of %s in its own form', async (name, row) => {
  const { services } = await read('x402index');
  const found = services.find(({ url }: { url: string }) => url === `http://127.0.1.1:4000/${name}`);
  expect(found).toMatchObject({ ...row, protocol: 'x402', last_checked: '2026-11-15 12:34:56' });
});

it('both name every seller, page by page', async () => {
  const names = sellers.map(({ url }) => url);
  const bazaar = await read('bazaar');
  expect(bazaar.items.map(({ resource }: { resource: string }) => resource)).toEqual(names);
  expect(bazaar.pagination).toEqual({ limit: 100, offset: 0, total: 19 });
  const last = await read('x402index', '?limit=10&offset=15');
  expect(last.services.map(({ url }: { url: string }) => url)).toEqual(names.slice(15));
  expect([last.limit, last.offset, last.total]).toEqual([10, 15, 19]);
  expect(await read('bazaar', '?limit=x&offset=-1')).toMatchObject({ pagination: bazaar.pagination });
});

it('nothing else is served', async () => {
  expect((await fetch(`${lists['bazaar']}/more`)).status).toBe(404);
});
