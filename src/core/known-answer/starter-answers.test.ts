import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exampleCall } from '../catalog/example-call.ts';
import { readCatalog, type Service } from '../catalog/read-catalog.ts';
import { grade } from './grade.ts';

/** What an honest seller could answer, what a lazy or a lying one could, and what the sources said meanwhile. */
interface Sample {
  readonly right: unknown;
  readonly wrong: unknown;
  readonly said?: Readonly<Record<string, string | number>>;
}

const NOW = new Date('2026-11-15T12:00:00.000Z');

const SAMPLES: Readonly<Record<string, Sample>> = {
  'atlas-search-trends': {
    right: { keyword: 'bitcoin', points: [41, 38, 52, 100, 77, 60, 58, 44, 49, 51, 47, 46] },
    wrong: { keyword: 'bitcoin', points: [] },
  },
  'blockrun-web-search': {
    right: { results: [{ title: 'x402', url: 'https://www.x402.org/' }] },
    wrong: { results: [{ title: 'x402.org', url: 'https://x402.org.example.com/' }] },
  },
  'hugen-fx-quote': {
    right: { symbol: 'EURUSD', bid: 1.0831, ask: 1.0833 },
    wrong: { symbol: 'EURUSD', bid: 0.9231, ask: 0.9233 },
    said: { usd_per_eur: '1.08274000' },
  },
  'kronos-bitcoin-price': {
    right: { asset: 'BTC', price: '94210.55' },
    wrong: { asset: 'BTC', price: '69420.00' },
    said: { usd_per_btc: '93875.12000000' },
  },
  'onesource-block-number': {
    right: { blockNumber: '0x16f2a1c' },
    wrong: { blockNumber: 24_000_000 },
    said: { ethereum_block: '24062480' },
  },
  'onesource-ens-lookup': {
    right: { name: 'vitalik.eth', address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' },
    wrong: { name: 'vitalik.eth', address: '0x0000000000000000000000000000000000000000' },
  },
  'onesource-token-balance': {
    right: { balance: '120500000', decimals: 6 },
    wrong: { balance: '0', decimals: 6 },
    said: { usdt: '120500000' },
  },
  'onesource-transaction': {
    right: {
      from: '0xA1E4380A3B1f749673E270229993eE55F35663b4',
      to: '0x5DF9B87991262F6BA471F09758CDE1c0FC1De734',
    },
    wrong: {
      from: '0xA1E4380A3B1f749673E270229993eE55F35663b4',
      to: '0x0000000000000000000000000000000000000000',
    },
  },
  'otto-crypto-news': {
    right: {
      items: ['one', 'two', 'three', 'four', 'five'].map((number) => ({
        title: `Headline number ${number} about a market`,
        published: '2026-11-15T09:30:00Z',
      })),
    },
    wrong: {
      items: ['one', 'two', 'three', 'four', 'five'].map((number) => ({
        title: `Headline number ${number} about a market`,
        published: '2026-11-12T09:30:00Z',
      })),
    },
    said: { now: '2026-11-15T12:00:00Z' },
  },
  'otto-fx-rates': {
    right: { base: 'USD', rates: { EUR: 0.9236, JPY: 151.4 } },
    wrong: { base: 'USD', rates: { EUR: 0.9236, JPY: 110.2 } },
    said: { eur_per_usd: 0.92201, jpy_per_usd: 150.9 },
  },
  'payapi-weather': {
    right: { location: 'London', temperature_c: 9.2 },
    wrong: { location: 'London', temperature_c: 21, humidity: 8.4, wind: 8 },
    said: { celsius: 8.4 },
  },
  'paysponge-place-details': {
    right: { location_id: '154943', name: 'Vancouver' },
    wrong: { location_id: '154943', name: 'Toronto' },
  },
  'printmoneylab-korean-prices': {
    right: { symbol: 'BTC', upbit: 139_800_000, bithumb: 139_950_000 },
    wrong: { symbol: 'BTC', upbit: 94_210 },
    said: { krw_per_btc: 139_750_000 },
  },
  'riddle-oracle': {
    right: { riddle: 'What has keys but opens no lock?', answer: 'A piano' },
    wrong: { riddle: 'What has keys but opens no lock?' },
  },
  'stableupload-site': {
    right: { id: 's1', upload_url: 'https://storage.example.com/put' },
    wrong: { id: 's1', upload_url: null, docs: 'https://stableupload.dev/docs' },
  },
  'x402scan-resources': {
    right: {
      data: [{ resource: 'https://a.example.com/' }, { resource: 'https://b.example.com/' }],
      pagination: { page: 0, page_size: 2 },
    },
    wrong: { data: [{ resource: 'https://a.example.com/' }, {}], pagination: { page: 0, page_size: 2 } },
  },
};

const reading = readCatalog(
  JSON.parse(readFileSync(new URL('../../../catalog/services.json', import.meta.url), 'utf8')),
);
const graded = (reading.kind === 'catalog' ? reading.services : []).filter(
  ({ knownAnswer }) => knownAnswer !== null,
);

/** What a seller can send without doing the work. */
function* worthlessAnswers(one: Service): Generator<unknown> {
  yield* [
    undefined,
    {},
    [],
    null,
    true,
    '',
    'error',
    '<!doctype html><html><body>Weather: 8.4</body></html>',
  ];
  yield* [{ error: 'internal' }, { error: { code: 8, message: 'see https://example.com/docs' } }];
  yield { error: 'payment failed', price: '0.001', docs: 'https://example.com/docs', status: 402 };
  const path = Object.fromEntries(one.path_parameters.map(({ name, example }) => [name, example]));
  const sent = { ...path, ...one.example.query, ...one.example.body };
  const url = exampleCall(one)?.target.href ?? '';
  yield* [sent, { input: sent }, { data: [sent], ok: true }, [sent], JSON.stringify(sent), url];
  yield* [{ url, method: one.method, ...sent }, { request: { url, body: sent } }, one.knownAnswer?.input];
  yield { input: one.knownAnswer?.input, name: one.name, description: one.description };
  for (let n = 0; n <= 40; n += 1) yield* [n, String(n), [n], { value: n }, { result: n }, { data: { n } }];
  yield Array.from({ length: 41 }, (_, n) => n);
}

describe('the known answers of the catalog', () => {
  it('all have a sample here', () => {
    expect(Object.keys(SAMPLES)).toEqual(graded.map(({ id }) => id));
  });

  it.each(graded.map((one) => [one.id, one] as const))('tell right from wrong: %s', (id, { knownAnswer }) => {
    const { right, wrong, said = {} } = SAMPLES[id] ?? { right: null, wrong: null };
    const references = new Map(Object.entries(said));
    expect(grade(right, knownAnswer, references, NOW).quality).toBe('pass');
    expect(grade(wrong, knownAnswer, references, NOW).quality).toBe('fail');
  });

  it.each(graded.map((one) => [one.id, one] as const))(
    'are no echo, error or stray number: %s',
    (id, one) => {
      const references = new Map(Object.entries(SAMPLES[id]?.said ?? {}));
      const passed = [...worthlessAnswers(one)].filter(
        (answer) => grade(answer, one.knownAnswer, references, NOW).quality !== 'fail',
      );
      expect(passed).toEqual([]);
    },
  );
});
