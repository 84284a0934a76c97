import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawled, publishCrawl } from '../support/crawling/published-crawl.ts';
import {
  ALT_URL,
  BASE_URL,
  BOTH_DOORS,
  LEGACY_URL,
  startService,
  type TestService,
} from '../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
const PACK = '/v1/products/overnight-cos-pack';
const GET_ONLY = 'GET, HEAD, OPTIONS';
const GET_AND_POST = 'GET, HEAD, POST, OPTIONS';

/** Every route, with a query that it likes and the methods that it has. */
const ROUTES: readonly [path: string, query: string, status: number, allow: string][] = [
  ['/v1/lookup', '?task=weather', 200, GET_ONLY],
  ['/v1/lookup/paid', '?task=weather', 402, GET_ONLY],
  [SPOT_CHECK, '?url=http://seller.example/honest', 200, GET_AND_POST],
  [PACK, '', 402, GET_AND_POST],
  ['/v1/skips', '', 200, GET_ONLY],
  ['/v1/skips.json', '', 200, GET_ONLY],
  ['/v1/skips.csv', '?q=a.example', 200, GET_ONLY],
  ['/v1/skips.atom', '', 200, GET_ONLY],
  ['/v1/receipts', '', 200, GET_ONLY],
  ['/v1/receipts/by-url', '?url=https://a.example/x', 200, GET_ONLY],
  ['/v1/receipts/00000000a1', '', 200, GET_ONLY],
  ['/v1/receipts/00000000a1/statement', '', 404, GET_ONLY],
  ['/log/rules/4.mjs', '', 200, GET_ONLY],
  ['/v1/tasks', '', 200, GET_ONLY],
  ['/healthz', '', 200, GET_ONLY],
  ['/readyz', '', 200, GET_ONLY],
  ['/v1/snapshot', '', 404, GET_ONLY],
  [`/snapshot/${'0'.repeat(64)}.bin`, '', 404, GET_ONLY],
  [`/snapshot/${'0'.repeat(64)}/00.bin`, '', 404, GET_ONLY],
];

describe.each(BOTH_DOORS)('HTTP manners through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);

  beforeAll(async () => {
    service = await startService({ door });
    await publishCrawl(service.store.runs, 'run-1', [crawled('https://a.example/x', { id: '00000000a1' })]);
  });
  afterAll(() => service.close());

  describe('CORS (G81)', () => {
    it.each([
      ['200', 'GET', '/v1/lookup?task=weather', 200],
      ['200 of HTML', 'GET', '/v1/skips', 200],
      ['204', 'OPTIONS', '/v1/lookup', 204],
      ['400', 'GET', '/v1/lookup', 400],
      ['400 of a blocked URL', 'GET', `${SPOT_CHECK}?url=http://127.0.0.1/`, 400],
      ['402', 'GET', '/v1/lookup/paid', 402],
      ['404 of a path', 'GET', '/v2', 404],
      ['404 of a receipt', 'GET', '/v1/receipts/0000000000', 404],
      ['405', 'DELETE', '/v1/lookup', 405],
      ['HEAD', 'HEAD', '/v1/tasks', 200],
    ])('on %s', async (_, method, path, expected) => {
      const { status, header } = await ask(path, { method, headers: { origin: 'https://wallet.example' } });
      expect(status).toBe(expected);
      expect(header('access-control-allow-origin')).toBe('*');
      expect(header('access-control-expose-headers')).toBe(
        'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, ETag, Link, X-Request-Id',
      );
      expect(header('access-control-allow-credentials')).toBeNull();
    });

    it('on 304', async () => {
      const { status, header } = await ask('/v1/tasks', { headers: { 'if-none-match': '*' } });
      expect([status, header('access-control-allow-origin')]).toEqual([304, '*']);
    });
  });

  describe('OPTIONS (G83)', () => {
    it.each(ROUTES)('%s: 204, with what it answers', async (path, _, __, allow) => {
      const { status, text, header } = await ask(path, { method: 'OPTIONS' });
      expect([status, text, header('allow')]).toEqual([204, '', allow]);
    });

    it('lets a browser send a payment, a version and JSON', async () => {
      const { header } = await ask(SPOT_CHECK, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://wallet.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'payment-signature, content-type',
        },
      });
      const allowed = (header('access-control-allow-headers') ?? '').toLowerCase().split(', ');
      const needed = ['payment-signature', 'x-payment', 'x-402-version', 'content-type', 'authorization'];
      // @x402/fetch sends this response field with its paid request, and a browser asks for it.
      needed.push('access-control-expose-headers');
      expect(needed.filter((name) => !allowed.includes(name))).toEqual([]);
      expect(header('access-control-allow-methods')?.split(', ')).toContain('POST');
      expect(header('access-control-max-age')).toMatch(/^[0-9]+$/);
    });
  });

  describe('HEAD (G83)', () => {
    it.each(ROUTES.filter(([path]) => path !== SPOT_CHECK))('%s mirrors GET', async (path, query, status) => {
      const [get, head] = [await ask(path + query), await ask(path + query, { method: 'HEAD' })];
      expect([head.status, head.text]).toEqual([status, '']);
      for (const name of [
        'content-type',
        'cache-control',
        'etag',
        'link',
        'payment-required',
        'retry-after',
      ]) {
        expect([name, head.header(name)]).toEqual([name, get.header(name)]);
      }
      // It may be left out, but must not be that of another answer (RFC 9110, section 8.6).
      expect([null, get.header('content-length')]).toContain(head.header('content-length'));
    });

    it('of the spot-check probes nothing and shows the lowest price', async () => {
      const before = service.sellerRequests.length;
      const { status, text, header } = await ask(`${SPOT_CHECK}?url=http://seller.example/dear`, {
        method: 'HEAD',
      });
      const terms = JSON.parse(atob(header('payment-required') ?? ''));
      expect([status, text, terms.accepts[0].amount]).toEqual([402, '', '10000']);
      expect(service.sellerRequests).toHaveLength(before);
    });

    it('is never metered', async () => {
      const from = '100.64.1.1';
      for (let n = 0; n < 7; n += 1) await ask('/v1/lookup?task=weather', { method: 'HEAD', from });
      expect((await ask('/v1/lookup?task=weather', { from })).json.access.free_used_today).toBe(1);
    });

    it('of what is wrong has the same status', async () => {
      expect((await ask('/v1/lookup', { method: 'HEAD' })).status).toBe(400);
      expect((await ask('/v1/receipts/0000000000', { method: 'HEAD' })).status).toBe(404);
    });
  });

  describe('405 (G83)', () => {
    it.each(
      ROUTES.flatMap(([path, , , allow]) =>
        ['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'MKCOL'].map((method) => [method, path, allow]),
      ),
    )('%s %s', async (method, path, allow) => {
      const { status, json, header } = await ask(path, { method });
      expect([status, json.code, header('allow')]).toEqual([405, 'method_not_allowed', allow]);
    });

    it.each(ROUTES.filter(([, , , allow]) => allow === GET_ONLY))('POST %s', async (path) => {
      const { status, header } = await ask(path, { method: 'POST', body: '{}' });
      expect([status, header('allow')]).toEqual([405, GET_ONLY]);
    });

    it.each(['x-http-method-override', 'x-method-override', 'x-http-method'])(
      'no method is smuggled in by %s',
      async (name) => {
        const headers = { [name]: 'GET' };
        expect((await ask('/v1/tasks', { method: 'POST', headers })).status).toBe(405);
      },
    );
  });

  it.each(ROUTES)('%s answers with a slash behind it, too', async (path, query, status) => {
    expect((await ask(`${path}/${query}`)).status).toBe(status);
  });

  it('each answer has an id of its own, whatever the caller sends', async () => {
    const ids: (string | null)[] = [];
    for (const path of ['/v1/tasks', '/v1/tasks', '/nothing', '/v1/lookup', '/v1/lookup/paid', '/v1/skips']) {
      ids.push((await ask(path, { headers: { 'x-request-id': 'mine' } })).header('x-request-id'));
    }
    expect(new Set(ids).size).toBe(6);
    expect(ids).not.toContain('mine');
    expect(ids).not.toContain(null);
  });

  it.each([
    ['a lookup', '/v1/lookup?task=weather', 200, 'free-lookups', 5, 4],
    ['a live check', `${SPOT_CHECK}?url=http://seller.example/honest`, 200, 'free-checks', 1, 0],
    ['a dry run', `${SPOT_CHECK}?url=http://seller.example/honest&mode=dry-run`, 200, 'dry-runs', 50, 49],
  ])(
    'RateLimit on %s, and never kept by a cache (G85, G82)',
    async (_, path, expected, policy, quota, left) => {
      const { status, header } = await ask(path);
      expect(status).toBe(expected);
      expect(header('ratelimit-policy')).toBe(`"${policy}";q=${quota};w=86400`);
      expect(header('ratelimit')).toBe(`"${policy}";r=${left};t=43200`);
      expect(header('cache-control')).toBe('no-store');
    },
  );

  it.each(['/v1/lookup/paid', PACK, '/v1/lookup', '/nothing', '/healthz', '/readyz'])(
    '%s is never kept by a cache',
    async (path) => {
      expect((await ask(path)).header('cache-control')).toBe('no-store');
    },
  );

  describe('the address that was called (G80)', () => {
    it.each([
      ['the base address', 'assay.example.org', BASE_URL],
      ['the alternative address', 'alt.example.org', ALT_URL],
      ['the legacy address', 'legacy.example.net', LEGACY_URL],
      ['another letter case', 'ALT.example.ORG', ALT_URL],
      ['the default port written out', 'alt.example.org:443', ALT_URL],
      ['another port', 'alt.example.org:8443', BASE_URL],
      ['a name that only begins like ours', 'alt.example.org.evil.example', BASE_URL],
      ['a stranger', 'evil.example', BASE_URL],
      ['a name of the prototype', '__proto__', BASE_URL],
    ])('%s', async (_, host, base) => {
      const headers = { host, 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
      expect((await ask('/v1/lookup?task=weather', { headers })).json.links.tasks).toBe(`${base}/v1/tasks`);
      expect((await ask('/nothing', { headers })).json.type).toBe(`${base}/problems#not_found`);
      const { json, header } = await ask('/v1/lookup/paid', { headers });
      expect(json.resource.url).toBe(`${base}/v1/lookup/paid`);
      expect(JSON.parse(atob(header('payment-required') ?? ''))).toEqual(json);
    });

    it('one quota behind all of them', async () => {
      const from = '100.64.2.2';
      const hosts = ['assay.example.org', 'alt.example.org', 'legacy.example.net', 'evil.example', 'x', 'y'];
      const statuses: number[] = [];
      for (const host of hosts) {
        statuses.push((await ask('/v1/lookup?task=weather', { from, headers: { host } })).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 402]);
    });
  });
});
