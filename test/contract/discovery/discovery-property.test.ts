import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedEndpoint } from '../../../src/core/crawl/listed-endpoint.ts';
import { isAnyAddress } from '../../../src/core/x402/address.ts';
import { parseNetwork } from '../../../src/core/x402/networks.ts';
import { hostileUrl, hostileValue } from '../../support/hostile/hostile-input.ts';
import { sized } from '../../support/sized.ts';
import { fixture, readAll, sourceOf } from './discovery-server.ts';

const ROWS_MAX = 40;
const NAMES = [
  ...['resource', 'url', 'base_url', 'accepts', 'price_usd', 'price_min', 'price_max', 'maxAmountRequired'],
  ...['network', 'networks', 'payTo', 'method', 'name', 'lastUpdated', 'parameters', 'endpoints', 'type'],
  ...['currency', 'extensions', 'inputSchema', 'input', 'outputSchema', '__proto__', 'constructor', 'length'],
];
const OFFER_NAMES = [
  'scheme',
  'network',
  'amount',
  'maxAmountRequired',
  'asset',
  'payTo',
  'price',
  'toString',
];
const INPUT_NAMES = ['method', 'queryParams', 'body', 'bodyFields', 'toString'];

const offer = fc.dictionary(fc.constantFrom(...OFFER_NAMES), hostileValue, { maxKeys: 6 });
const input = fc.dictionary(fc.constantFrom(...INPUT_NAMES), hostileValue, { maxKeys: 4 });
const value: fc.Arbitrary<unknown> = fc.oneof(
  hostileValue,
  hostileUrl,
  fc.array(fc.oneof(offer, hostileValue), { maxLength: 3 }),
  input,
  fc.record({ input, bazaar: fc.record({ info: fc.record({ input }) }), url: hostileUrl }),
);
const entry = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 8 }) },
  { weight: 1, arbitrary: hostileValue },
  { weight: 1, arbitrary: hostileUrl },
);
const document = fc.oneof(
  fc.array(entry, { maxLength: 60 }),
  fc.record({ items: fc.array(entry, { maxLength: 60 }), pagination: hostileValue, next: hostileValue }),
  hostileValue,
);

/** A page of a stranger: strange on purpose, or a fixture with some of its bytes changed, moved or lost. */
const damaged = fc
  .tuple(
    fc.constantFrom('cdp-bazaar.json', '402index.json', 'agentic-market.json', 'well-known-v1.json'),
    fc.array(fc.tuple(fc.nat(4_000), fc.nat(40), fc.uint8Array({ maxLength: 6 })), { maxLength: 4 }),
  )
  .map(([file, cuts]) =>
    cuts.reduce(
      (bytes, [at, length, put]) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + length)]),
      Buffer.from(fixture(file)),
    ),
  );
const page = fc.oneof(
  document.map((json) => Buffer.from(JSON.stringify(json) ?? '')),
  damaged,
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

const settings = fc.constantFrom<object>(
  {},
  { endpoints: ['endpoints'], endpoints_only: { type: ['http'] }, numbers: 'usd' },
  { only: { type: ['http'], protocol: ['x402'] }, pages: { by: 'offset', size: 5 } },
  { pages: { by: 'cursor', size: 5, next: 'next' } },
  { pages: { by: 'page', size: 5 } },
  { via: [{ rows: ['', 'items'], value: 'url', urls: ['{origin}/.well-known/x402'] }], at_once: 4 },
  { via: [{ value: 'name', urls: ['https://list.example.com/{value}'] }] },
);

function expectSound({ target, method, claim, input, service, list, listedIn }: ListedEndpoint): void {
  expect(new URL(target.href).username).toBe('');
  expect(target.href).toMatch(/^https?:\/\/[^@/]+\//);
  expect(['GET', 'POST']).toContain(method);
  const { price, network, payTo } = claim;
  expect(price === null || (price >= 0n && price <= 10n ** 18n)).toBe(true);
  expect(network === null || parseNetwork(network) === network).toBe(true);
  expect(payTo === null || isAnyAddress(payTo)).toBe(true);
  expect((service ?? 'a').length).toBeGreaterThan(0);
  expect([...(service ?? '')].length).toBeLessThanOrEqual(80);
  expect(service ?? '').not.toMatch(/[<>"'`\p{C}]/u);
  for (const example of [input?.example ?? null, input?.built ?? null]) {
    if (example === null) continue;
    expect(example.query.length).toBeLessThanOrEqual(32);
    for (const [name, text] of example.query)
      expect(Math.max(name.length, text.length)).toBeLessThanOrEqual(500);
    if (example.body !== null) expect(JSON.parse(example.body)).toBeTypeOf('object');
  }
  expect([list, ...listedIn]).toEqual(['a-list', 'a-list']);
}

describe('whatever a list sends', () => {
  it('is read within its bounds, and nothing is thrown', async () => {
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 4 }), settings, async (pages, data) => {
        asked = 0;
        const fetch = async () => {
          asked += 1;
          return new Response(new Uint8Array(pages[(asked - 1) % pages.length] ?? []));
        };
        const limits = { rows: ROWS_MAX, pages: 6, tries: 2, addresses: 5, addressTries: 1 };
        const { endpoints, outcome } = await readAll(sourceOf(data, { fetch, limits }));
        for (const endpoint of endpoints) expectSound(endpoint);
        expect(['read', 'failed']).toContain(outcome.kind);
        // Each page may be tried twice, sites are read four at a time, and an entry may hold many endpoints.
        expect(endpoints.length).toBeLessThanOrEqual(2 * 4 * (ROWS_MAX + 200));
        expect(asked).toBeLessThanOrEqual(2 * (6 + 5 + 1));
      }),
      { numRuns: sized(60, 300) },
    );
  });

  it('and however the network cuts it into pieces, comes to the same', async () => {
    const cuts = fc.array(fc.nat(5_000), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(page, damaged), cuts, async (bytes, at) => {
        const read = (pieces: readonly Uint8Array[]) => {
          const fetch = async () =>
            new Response(
              new ReadableStream({
                start(controller) {
                  for (const piece of pieces) if (piece.length > 0) controller.enqueue(new Uint8Array(piece));
                  controller.close();
                },
              }),
            );
          return readAll(sourceOf({}, { fetch, limits: { tries: 1 } }));
        };
        const places = [0, ...at.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.map((place, n) => bytes.subarray(place, places[n + 1] ?? bytes.length));
        expect(await read(pieces)).toEqual(await read([bytes]));
      }),
      { numRuns: sized(40, 200) },
    );
  });
});
