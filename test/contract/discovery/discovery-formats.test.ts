import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadLists } from '../../../src/adapters/discovery/load-lists.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import {
  type Answer,
  fixture,
  type ListServer,
  readShipped,
  shown,
  startListServer,
} from './discovery-server.ts';

/** The lists that come with the program, read with their own configuration from pages of the same shapes. */
const BASE = 'eip155:8453';

let server: ListServer;
beforeAll(async () => {
  server = await startListServer();
});
afterAll(() => server.stop());

/** The same page whatever is asked, and an empty one after it. */
function page(file: string): Answer {
  return (url, response) => {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    response.end(offset > 0 ? '{"items":[],"services":[]}' : fixture(file));
  };
}

type Row = readonly unknown[];

describe('the lists we know', () => {
  it.each<[name: string, file: string, asked: string, rows: Row[]]>([
    [
      'cdp-bazaar',
      'cdp-bazaar.json',
      'https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources?type=http&limit=500&offset=0',
      [
        [
          'GET',
          'https://api.example.com/v1/balance',
          3_000n,
          BASE,
          PAYEE,
          {
            query: [
              ['account', '0xabc'],
              ['limit', '5'],
            ],
            body: null,
          },
          'Plain Balances',
        ],
        ['GET', 'https://api.example.com/v1/names/:name', 5_000n, BASE, PAYEE, null, null],
        [
          'POST',
          'https://upload.example.com/api/site',
          5_000n,
          BASE,
          THIEF,
          { query: [], body: '{"filename":"site.zip","tier":"short"}' },
          null,
        ],
        [
          'POST',
          'https://search.example.com/api/v1/search',
          11_000n,
          BASE,
          PAYEE,
          // A default is no example.
          null,
          null,
        ],
        ['POST', 'https://old.example.com/x402/price', 200n, BASE, PAYEE, null, null],
        ['GET', 'https://both.example.com/x', 1_000n, BASE, PAYEE, null, null],
        ['GET', 'https://test.example.com/x', null, 'eip155:84532', PAYEE, null, null],
      ],
    ],
    [
      'payai-bazaar',
      'payai-bazaar.json',
      'https://facilitator.payai.network/discovery/resources?limit=500&offset=0',
      [
        [
          'GET',
          'https://travel.example.com/api/v1/places/:placeId',
          10_000n,
          BASE,
          PAYEE,
          { query: [['lang', 'en']], body: null },
          null,
        ],
        [
          'POST',
          'https://travel.example.com/api/v1/search',
          20_000n,
          BASE,
          PAYEE,
          { query: [], body: '{"q":"harbour"}' },
          null,
        ],
      ],
    ],
    [
      '402index',
      '402index.json',
      'https://402index.io/api/v1/services?protocol=x402&limit=200&offset=0',
      [
        ['GET', 'https://git.example.com/api/search', 50_000n, BASE, null, null, 'Repository Search'],
        ['GET', 'https://news.example.com/latest', null, BASE, null, null, 'news'],
        ['POST', 'https://audit.example.com/run', 5_000_000n, BASE, null, null, 'Audit — Fix Pack ($5)'],
        [
          'GET',
          'https://zero.example.com/run',
          null,
          'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
          null,
          null,
          'Unpriced',
        ],
      ],
    ],
    [
      'agentic-market',
      'agentic-market.json',
      'https://api.agentic.market/v1/services',
      [
        [
          'POST',
          'https://finder.example.com/search',
          7_000n,
          BASE,
          null,
          { query: [], body: '{"query":"tea"}' },
          'Finder',
        ],
        ['GET', 'https://finder.example.com/contents', null, null, null, null, 'Finder'],
      ],
    ],
    [
      'x402-direct',
      'x402-direct.json',
      'https://x402.direct/api/services?limit=100&page=1',
      [
        ['GET', 'https://write.example.com/api/generate', 5_000n, BASE, null, null, 'write.example.com'],
        ['GET', 'https://write.example.com/api/edit', 2_500n, BASE, null, null, 'write.example.com'],
      ],
    ],
    [
      'payapi-market',
      'payapi-market.json',
      'https://payapi.market/agent/list?verified_only=false&limit=1000',
      [
        ['GET', 'https://weather.example.com/', 1_000n, BASE, null, null, 'Weather'],
        ['GET', 'https://maps.example.com/', null, BASE, null, null, 'Maps'],
      ],
    ],
    [
      'agent402',
      'well-known-v1.json',
      'https://agent402.tools/.well-known/x402',
      [
        ['GET', 'https://skills.example.com/api/skill/status', null, null, null, null, null],
        ['POST', 'https://skills.example.com/v1/search', null, null, null, null, null],
        ['GET', 'https://agent402.tools/v1/local', null, null, null, null, null],
        ['GET', 'https://skills.example.com/v1/price', null, null, null, null, null],
      ],
    ],
    [
      'agent402',
      'well-known-v2.json',
      'https://agent402.tools/.well-known/x402',
      [['GET', 'https://partner.example.com/v1/names/somebody', 5_000n, BASE, PAYEE, null, null]],
    ],
    [
      'awesome-x402',
      'awesome-x402.md',
      'https://raw.githubusercontent.com/xpaysh/awesome-x402/main/README.md',
      [
        ['GET', 'https://search.example.com/api/search', 20_000n, null, null, null, 'Plain Search'],
        ['POST', 'https://prices.example.com/v1/quote', 2_000n, null, null, null, 'Bold Prices'],
        ['GET', 'https://nested.example.com/v1/run', 500_000n, null, null, null, 'Nested'],
      ],
    ],
  ])('%s, from %s', async (name, file, asked, rows) => {
    const { endpoints, outcome } = await readShipped(server, name, page(file));
    expect(endpoints.map(shown)).toEqual(rows);
    expect(outcome).toMatchObject({ kind: 'read', cut: null, items: rows.length });
    expect(server.requests[0]?.url).toBe(asked);
    expect(new Set(endpoints.flatMap(({ list, listedIn }) => [list, ...listedIn]))).toEqual(new Set([name]));
  });

  it.each<[name: string, file: string, leftOut: [string, number][]]>([
    ['cdp-bazaar', 'cdp-bazaar.json', [['other_kind', 1]]],
    ['402index', '402index.json', [['other_kind', 1]]],
    ['agentic-market', 'agentic-market.json', [['no_url', 1]]],
    ['awesome-x402', 'awesome-x402.md', [['no_url', 6]]],
  ])('%s says what was left out', async (name, file, leftOut) => {
    const { outcome } = await readShipped(server, name, page(file));
    expect(outcome).toMatchObject({ leftOut: new Map(leftOut) });
  });

  it.each<[name: string, file: string, updated: string]>([
    ['cdp-bazaar', 'cdp-bazaar.json', '2026-08-28T22:28:40.206Z'],
    ['402index', '402index.json', '2026-09-04T16:37:11.000Z'],
    ['x402-direct', 'x402-direct.json', '2025-05-01T12:00:00.000Z'],
  ])('%s says when its first entry was touched', async (name, file, updated) => {
    const { endpoints } = await readShipped(server, name, page(file));
    expect(new Date(endpoints[0]?.updatedMs ?? 0).toISOString()).toBe(updated);
  });

  it('are the ones that some test reads, here or in discovery-sites.test.ts', () => {
    expect(loadLists().map(({ name }) => name)).toEqual([
      ...['payai-bazaar', 'cdp-bazaar', '402index', 'agentic-market', 'x402-direct', 'payapi-market'],
      ...[
        'agent402',
        'x402org-ecosystem',
        'agent-tools-cloud',
        'awesome-x402',
        'x402scan',
        'mcp-directories',
      ],
    ]);
  });
});
