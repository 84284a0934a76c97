import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawled, publishCrawl } from '../support/crawling/published-crawl.ts';
import {
  encode,
  hostileHeaders,
  hostileQuery,
  hostileText,
  hostileValue,
} from '../support/hostile/hostile-input.ts';
import { isJson, unsound } from '../support/hostile/unsound-answer.ts';
import { type Sent, startService, type TestService } from '../support/running/running-service.ts';
import { sized } from '../support/sized.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
const SPOT_CHECK_NAMES = [
  'url',
  'task',
  'claimed_price',
  'method',
  'pay_to',
  'network',
  'client',
  'ref',
  'mode',
];
const LOOKUP_NAMES = ['task', 'endpoint', 'max_price', 'n', 'limit', 'client', 'ref', 'payer'];
const SKIPS_NAMES = ['page', 'format', 'reason', 'list', 'network', 'host', 'q', 'sort'];

/** Each route, the parameters it reads, which of them are URLs, and every status it may answer with. */
const ROUTES: readonly [path: string, names: string[], urls: string[], statuses: number[]][] = [
  ['/v1/lookup', LOOKUP_NAMES, ['endpoint'], [200, 400, 402]],
  ['/v1/lookup/paid', LOOKUP_NAMES, ['endpoint'], [402]],
  [SPOT_CHECK, SPOT_CHECK_NAMES, ['url'], [200, 400, 402, 429]],
  ['/v1/products/overnight-cos-pack', ['url'], ['url'], [402]],
  ['/v1/skips', SKIPS_NAMES, [], [200, 304, 400, 404]],
  ['/v1/skips.json', SKIPS_NAMES, [], [200, 304, 400, 404]],
  ['/v1/skips.csv', SKIPS_NAMES, [], [200, 304, 400, 404]],
  ['/v1/skips.atom', ['page'], [], [200, 304]],
  ['/v1/receipts', ['type', 'ref', 'limit', 'cursor', 'page'], [], [200, 304, 400, 404]],
  ['/v1/receipts/by-url', ['url'], ['url'], [200, 304, 400, 404]],
  ['/v1/tasks', ['task'], [], [200, 304]],
  ['/', SPOT_CHECK_NAMES, ['url'], [200]],
];

/** So many requests at a time, and so many times for each property: more than 20,000 in a long run. */
const AT_ONCE = 25;
const TIMES = sized(10, 65);
const ENOUGH = sized(3_000, 20_000);

type Asked = readonly [path: string, sent: Sent];

describe('nothing that a caller sends breaks the service', () => {
  let service: TestService;
  const asked = { total: 0 };

  beforeAll(async () => {
    // A probe that hangs, such as one over TLS to a seller without it, is not what this is about.
    service = await startService({ timeoutMs: 25 });
    const listed = crawled('http://seller.example/honest', { id: '00000000a1' });
    await publishCrawl(service.store.runs, 'run-1', [listed]);
  });
  afterAll(() => service.close());

  const alwaysSound = (requests: fc.Arbitrary<Asked>, statuses: readonly number[]) =>
    fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (batch) => {
        asked.total += batch.length;
        const answers = await Promise.all(batch.map(([path, sent]) => service.ask(path, sent)));
        expect(answers.flatMap((answer) => unsound(answer, statuses))).toEqual([]);
      }),
      { numRuns: TIMES },
    );

  /** The ids of every stored receipt, page by page. */
  const listed = async (type: string, cursor: string | null): Promise<string[]> => {
    const query = `type=${type}&limit=100${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { json } = await service.ask(`/v1/receipts?${query}`);
    const ids = json.receipts.map(({ id }: { id: string }) => id);
    return json.next_cursor === null ? ids : [...ids, ...(await listed(type, json.next_cursor))];
  };

  it.each(ROUTES)('GET %s', async (path, names, urls, statuses) => {
    const requests = fc
      .tuple(hostileQuery(names, urls), hostileHeaders)
      .map(([query, headers]): Asked => [path + query, { headers }]);
    await alwaysSound(requests, statuses);
  });

  it('GET /v1/receipts/{id}', async () => {
    const requests = fc
      .tuple(hostileText, hostileHeaders)
      // A segment of dots, or none, is another path.
      .filter(([id]) => !/^\.{0,2}$/.test(id))
      .map(([id, headers]): Asked => [`/v1/receipts/${encode(id)}`, { headers }]);
    await alwaysSound(requests, [200, 304, 404]);
  });

  it('checks of URLs with anything in their path and query, and the receipts of them', async () => {
    const seller = fc.constantFrom(
      'honest',
      'dear',
      'thief',
      'testnet',
      'other-token',
      'no-paywall',
      'broken',
      'trial',
    );
    const url = fc
      .tuple(fc.nat(200), seller, hostileText, hostileText)
      .map(
        ([host, path, query, key]) =>
          `http://h${host}.example/${path}?${encode(query)}=${encode(key)}&key=${encode(key)}`,
      );
    const requests = url.map((target): Asked => [`${SPOT_CHECK}?url=${encode(target)}`, {}]);
    await alwaysSound(requests, [200, 400, 429]);
    const stored = await listed('live', null);
    expect(stored.length).toBeGreaterThan(sized(50, 300));
    for (const receipt of stored) {
      const { status, text } = await service.ask(`/v1/receipts/${receipt}`);
      expect([status, isJson(text)]).toEqual([200, true]);
    }
  });

  it('POST of a check with members of every kind', async () => {
    const names = fc.constantFrom(...SPOT_CHECK_NAMES, '__proto__', 'other');
    const headers = { 'content-type': 'application/json' };
    const requests = fc
      .tuple(fc.dictionary(names, hostileValue, { maxKeys: 5 }), hostileQuery(SPOT_CHECK_NAMES, ['url']))
      .map(
        ([members, query]): Asked => [
          SPOT_CHECK + query,
          { method: 'POST', body: JSON.stringify(members), headers },
        ],
      );
    await alwaysSound(requests, [200, 400, 402, 413, 429]);
  });

  it('POST of a check with any text as its body', async () => {
    const text = fc.oneof(
      hostileText,
      fc.json(),
      fc.constantFrom('{', '[]', 'null', '"x"', '{"url":"http://seller.example/honest"}', '\ufeff{}'),
      fc.constantFrom('{"claimed_price":1e309}', '{"url":"a","url":"b"}', 'x'.repeat(16_385)),
      fc.constantFrom(
        '['.repeat(9_000),
        '{"a":'.repeat(3_000),
        `{"task":${'['.repeat(7_000)}${']'.repeat(7_000)}}`,
      ),
    );
    const types = fc.constantFrom('application/json', 'application/json; charset=utf-16', 'text/plain', '');
    const requests = fc
      .tuple(text, types, hostileHeaders)
      .map(
        ([body, type, headers]): Asked => [
          `${SPOT_CHECK}?task=a`,
          { method: 'POST', body, headers: { ...headers, 'content-type': type } },
        ],
      );
    await alwaysSound(requests, [200, 400, 402, 413, 415, 429]);
  });

  it('POST of the form of the front page', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const requests = hostileQuery(SPOT_CHECK_NAMES, ['url']).map(
      (query): Asked => ['/check', { method: 'POST', body: query.slice(1), headers }],
    );
    await alwaysSound(requests, [200, 303, 400, 429]);
  });

  it('any path, any method', async () => {
    const segment = fc.oneof(
      hostileText.map(encode),
      fc.constantFrom('v1', 'lookup', 'receipts', 'products', '..', '.', ''),
    );
    const method = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'DELETE',
      'PATCH',
      'OPTIONS',
      'PROPFIND',
      'X',
    );
    const requests = fc
      .tuple(fc.array(segment, { maxLength: 4 }), method)
      .map(([path, name]): Asked => [`/${path.join('/')}`, { method: name }]);
    await alwaysSound(requests, [200, 204, 400, 402, 404, 405]);
  });

  it('any caller', async () => {
    const requests = fc
      .tuple(fc.oneof(fc.ipV4(), fc.ipV6(), hostileText), hostileHeaders)
      .map(([from, headers]): Asked => ['/v1/lookup?task=weather', { from, headers }]);
    await alwaysSound(requests, [200, 402]);
  });

  it('that was enough of it, and none of it was a fault', () => {
    expect(asked.total).toBeGreaterThanOrEqual(ENOUGH);
    expect(service.faults).toEqual([]);
  });
});
