import { describe, expect, it } from 'vitest';
import { ENTRY } from '../../../tools/samples/challenge.ts';
import type { ListedEndpoint } from './listed-endpoint.ts';
import { fieldPlaces } from './listing-fields.ts';
import { type ListingShape, readEntry } from './read-listing.ts';

const BASE = 'eip155:8453';

const shape: ListingShape = {
  list: 'a-list',
  fields: fieldPlaces({}),
  numbers: 'atomic',
  only: [],
  endpoints: [],
  endpointsOnly: [],
};

function read(members: object, changes: Partial<ListingShape> = {}): ListedEndpoint {
  const entry = JSON.stringify({ url: 'https://seller.example.com/x', ...members });
  const [endpoint] = readEntry(entry, { ...shape, ...changes }, null).endpoints;
  if (endpoint === undefined) throw new Error('the entry was not read');
  return endpoint;
}

describe('what a listing says about the call', () => {
  it.each<[why: string, members: object, method: string]>([
    ['nothing', {}, 'GET'],
    ['a method', { method: 'POST' }, 'POST'],
    ['in small letters', { http_method: 'post' }, 'POST'],
    ['an empty one, and a better one elsewhere', { method: '', inputSchema: { method: 'POST' } }, 'POST'],
    ['inside of the extension', { extensions: { bazaar: { info: { input: { method: 'POST' } } } } }, 'POST'],
    ['inside of an offer', { accepts: [{ ...ENTRY, outputSchema: { input: { method: 'POST' } } }] }, 'POST'],
    ['two of them', { method: 'GET, POST' }, 'GET'],
    ['a list of them', { method: ['POST', 'PUT'] }, 'POST'],
    ['one that a probe does not use', { method: 'DELETE' }, 'GET'],
    ['only a body', { input: { body: { q: 1 } } }, 'POST'],
  ])('method: %s', (_, members, method) => {
    expect(read(members).method).toBe(method);
  });

  const input = (members: object) => ({ inputSchema: members });

  it.each<[why: string, members: object, query: [string, string][], body: string | null]>([
    [
      'values',
      input({ queryParams: { q: 'tea', n: 5, deep: true } }),
      [
        ['q', 'tea'],
        ['n', '5'],
        ['deep', 'true'],
      ],
      null,
    ],
    [
      'descriptions',
      input({ queryParams: { q: { type: 'string', example: 'tea' }, n: { default: 5 } } }),
      [['q', 'tea']],
      null,
    ],
    ['a body', input({ body: { q: 'tea', deep: { a: [1] } } }), [], '{"q":"tea","deep":{"a":[1]}}'],
    [
      'fields of a body',
      input({ bodyFields: { q: { example: 'tea' }, n: { type: 'number' } } }),
      [],
      '{"q":"tea"}',
    ],
    [
      'a list of parameters',
      {
        parameters: [
          { name: 'q', in: 'query', example: 'tea' },
          { name: 'n', group: 'body', value: 5 },
        ],
      },
      [['q', 'tea']],
      '{"n":5}',
    ],
  ])('example: %s', (_, members, query, body) => {
    expect(read(members).input?.example).toEqual({ query, body });
  });

  it.each<[why: string, members: object]>([
    ['nothing', {}],
    ['empty objects', input({ queryParams: {}, body: {}, bodyFields: {} })],
    ['only types', input({ queryParams: { q: { type: 'string' } } })],
    ['only parts of the path', input({ pathParams: { id: '7' } })],
    ['a body that is no object', input({ body: 'q=tea' })],
    ['a choice', input({ queryParams: { q: { enum: ['tea', 'milk'] } } })],
    [
      'less than is required',
      input({ bodyFields: { q: { example: 'tea' }, n: { type: 'number', required: true } } }),
    ],
  ])('example: none from %s', (_, members) => {
    expect(read(members).input?.example ?? null).toBeNull();
  });

  const order = {
    type: 'object',
    properties: { side: { enum: ['buy', 'sell'] }, quantity: { type: 'integer', default: 1 } },
    required: ['side', 'quantity'],
  };

  it('builds an input from a schema', () => {
    expect(read({ ...input(order), method: 'POST' }).input).toMatchObject({
      example: null,
      built: { query: [], body: '{"side":"buy","quantity":1}' },
      required: ['side', 'quantity'],
    });
  });

  it('makes up nothing for an endpoint that does something (G100)', () => {
    const ordering = { ...input(order), method: 'POST', description: 'Places an order' };
    expect(read(ordering).input).toMatchObject({ example: null, built: null });
    const titled = { ...input(order), method: 'POST', title: 'Order desk' };
    expect(read(titled).input).toMatchObject({ example: null, built: null });
    const own = {
      ...input({ ...order, body: { side: 'sell', quantity: 2 } }),
      description: ordering.description,
    };
    expect(read(own).input).toMatchObject({ built: null, example: { body: '{"side":"sell","quantity":2}' } });
  });

  it.each<[string, object, [string, string][]]>([
    ['values', { pathParams: { id: '7' } }, [['id', '7']]],
    ['an example', { pathParams: { id: { type: 'string', example: '7' } } }, [['id', '7']]],
    ['a choice', { pathParams: { chain: { enum: ['base', 'solana'] } } }, [['chain', 'base']]],
    ['only a type', { pathParams: { id: { type: 'string' } } }, []],
  ])('path: %s', (_, members, path) => {
    expect(read(input(members)).input?.path ?? []).toEqual(path);
  });

  it('takes 32 parameters and no more', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, n]));
    expect(read(input({ queryParams: many })).input?.example?.query).toHaveLength(32);
  });
});

it.each<[given: unknown, read: string | undefined]>([
  ['2026-08-28T22:28:40.206Z', '2026-08-28T22:28:40.206Z'],
  ['2026-08-29T00:01:42.66Z', '2026-08-29T00:01:42.660Z'],
  ['2026-08-28T22:28:40+02:00', '2026-08-28T20:28:40.000Z'],
  ['2026-09-04 16:37:11', '2026-09-04T16:37:11.000Z'],
  ['2026-09-04', '2026-09-04T00:00:00.000Z'],
  [1_757_030_400, '2025-09-05T00:00:00.000Z'],
  ['1757030400', '2025-09-05T00:00:00.000Z'],
  [1_757_030_400_000, '2025-09-05T00:00:00.000Z'],
  ['2026-02-31T99:00:00Z', undefined],
  ['yesterday', undefined],
  [-5, undefined],
  [1e300, undefined],
  [null, undefined],
])('reads the time %j', (lastUpdated, expected) => {
  const { updatedMs } = read({ lastUpdated });
  expect(updatedMs === undefined ? undefined : new Date(updatedMs).toISOString()).toBe(expected);
});

describe('filters and endpoints inside of entries', () => {
  const only = [{ path: ['type'], values: new Set(['http']) }];

  it.each<[why: string, type: unknown, passes: boolean]>([
    ['the value', 'http', true],
    ['in any letter case', 'HTTP', true],
    ['one of several', ['mcp', 'http'], true],
    ['none', undefined, true],
    ['null', null, true],
    ['another', 'mcp', false],
    ['an object', { toString: 1 }, false],
    ['an empty list', [], false],
  ])('with %s', (_, type, passes) => {
    const { endpoints, faults } = readEntry(
      JSON.stringify({ url: 'https://seller.example.com/', type }),
      { ...shape, only },
      null,
    );
    expect([endpoints.length, faults]).toEqual(passes ? [1, []] : [0, ['other_kind']]);
  });

  it('an endpoint says more about itself than the entry around it', () => {
    const entry = {
      name: 'Outer',
      network: 'base',
      price_usd: 1,
      endpoints: [
        { url: 'https://a.example.com/', price_usd: 2 },
        'https://b.example.com/',
        { path: '/c' },
        5,
      ],
    };
    const { endpoints, faults } = readEntry(
      JSON.stringify(entry),
      { ...shape, endpoints: [['endpoints']] },
      null,
    );
    expect(
      endpoints.map(({ target, claim, service }) => [target.href, claim.price, claim.network, service]),
    ).toEqual([
      ['https://a.example.com/', 2_000_000n, BASE, 'Outer'],
      ['https://b.example.com/', 1_000_000n, BASE, 'Outer'],
    ]);
    expect(faults).toEqual(['no_url', 'not_an_entry']);
  });
});
