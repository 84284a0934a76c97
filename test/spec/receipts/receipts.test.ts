import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/core/receipt/cursor.ts';
import type { LiveReceipt } from '../../../src/core/receipt/live-receipt.ts';
import { afterNoon, aReceipt, NOON, receiptId } from '../../../tools/samples/store-receipts.ts';
import { expectProblem } from '../../support/asking.ts';
import {
  BASE_URL,
  DOORS,
  LEGACY_URL,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';

describe.each(DOORS)('GET /v1/receipts with a type, through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);
  const add = (n: number, changes: Partial<LiveReceipt> = {}) =>
    service.store.receipts.add(aReceipt({ id: receiptId(n), ...changes }), `key-${n}`);
  const idsAt = async (path: string): Promise<string[]> =>
    (await ask(path)).json.receipts.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    service = await startService({ door });
    // Three receipts share each moment, so that time alone does not order them.
    for (let n = 1; n <= 30; n += 1) {
      await add(n, { checkedAt: afterNoon(Math.floor(n / 3)), ref: n % 2 === 0 ? 'even' : null });
    }
    for (let n = 101; n <= 125; n += 1) await add(n, { mode: 'dry-run', approvedPayment: null });
  });
  afterAll(() => service.close());

  describe('200', () => {
    it('the newest 20 of the type, with these members', async () => {
      const { json, header } = await ask('/v1/receipts?type=live');
      expect(json).toEqual({
        type: 'live',
        ref: null,
        limit: 20,
        count: 20,
        receipts: expect.any(Array),
        next_cursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
        next: `${BASE_URL}/v1/receipts?type=live&limit=20&cursor=${json.next_cursor}`,
      });
      expect(json.receipts).toHaveLength(20);
      expect(header('link')).toBe(`<${json.next}>; rel="next"`);
      expect(header('content-type')).toBe('application/json; charset=utf-8');
    });

    it('an entry has these members and no other', async () => {
      const { json } = await ask('/v1/receipts?type=live&ref=even&limit=1');
      expect(json.receipts).toEqual([
        {
          id: 'sc-000000000000001e',
          url: 'https://a.example/x',
          listing: {
            claimed_price_usd: 0.01,
            pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
            network: 'eip155:8453',
            source_list: 'a-list',
          },
          live_demand: { http_status: 402, x402_challenge: true, error: null, free_trial: null },
          verdict: 'pay',
          reason: 'price_ok',
          checked_at: '2026-11-15T12:00:00.010Z',
          check_type: 'dry-run',
          ref: 'even',
          permalink: `${BASE_URL}/v1/receipts/sc-000000000000001e`,
        },
      ]);
    });

    it('by time, then by id, both downwards', async () => {
      const ids = await idsAt('/v1/receipts?type=live&ref=even&limit=100');
      expect(ids).toEqual(Array.from({ length: 15 }, (_, n) => receiptId(30 - 2 * n)));
    });

    it('dry runs apart from live decisions', async () => {
      const { json } = await ask('/v1/receipts?type=dry-run&limit=100');
      expect([json.count, json.next_cursor, json.next]).toEqual([25, null, null]);
      expect(json.receipts[0].id).toBe('sc-000000000000007d');
    });

    it.each([
      ['a ref', 'even', 15],
      ['a ref in another letter case', 'EVEN', 15],
      ['the beginning of a ref, which is no ref', 'eve', 0],
      ['what would be a wildcard elsewhere', '_ven', 0],
      ['a dot, which is no wildcard either', 'ev.n', 0],
    ])('only receipts with %s', async (_, ref, count) => {
      const { status, json } = await ask(`/v1/receipts?type=live&limit=100&ref=${ref}`);
      expect([status, json.count]).toEqual([200, count]);
    });

    it('an empty list has neither a cursor nor a link', async () => {
      const { json, header } = await ask('/v1/receipts?type=live&ref=nobody');
      expect(json).toMatchObject({ ref: 'nobody', count: 0, receipts: [], next_cursor: null, next: null });
      expect(header('link')).toBeNull();
    });

    it.each([1, 100])('a limit of %i', async (limit) => {
      expect((await ask(`/v1/receipts?type=live&limit=${limit}`)).json.limit).toBe(limit);
    });

    it('a page that ends exactly at the end is the last one', async () => {
      expect((await ask('/v1/receipts?type=live&ref=even&limit=15')).json.next).toBeNull();
    });

    it('links stay under the address that was called', async () => {
      const { json } = await ask('/v1/receipts?type=live', { headers: { host: 'legacy.example.net' } });
      expect(json.next).toMatch(new RegExp(`^${LEGACY_URL}/v1/receipts\\?`));
      expect(json.receipts[0].permalink).toMatch(new RegExp(`^${LEGACY_URL}/v1/receipts/sc-`));
    });

    it('a stored check appears at once', async () => {
      const from = '198.51.100.7';
      const spotCheck =
        '/v1/products/endpoint-spot-check?url=http://seller.example/dear&ref=mine&client=Nosy';
      const { receipt_id: id } = (await ask(spotCheck, { from })).json;
      const { json, text } = await ask('/v1/receipts?type=live&ref=mine');
      expect(json.receipts).toMatchObject([{ id, verdict: 'pay', ref: 'mine', listing: null }]);
      expect(text).not.toMatch(/nosy|198\.51\.100\.7/i);
    });

    it('304 until something new is stored', async () => {
      const path = '/v1/receipts?type=live&ref=cached';
      const first = await ask(path);
      expect(first.header('cache-control')).toMatch(/^public, max-age=[0-9]{1,3}$/);
      const headers = { 'if-none-match': first.header('etag') ?? '' };
      expect((await ask(path, { headers })).status).toBe(304);
      await add(901, { ref: 'cached' });
      expect((await ask(path, { headers })).status).toBe(200);
    });
  });

  describe('paging by cursor (G52)', () => {
    it.each([1, 7, 10])('%i a page: no gap and no repeat while new ones arrive', async (limit) => {
      const ref = `paged-${limit}`;
      for (let n = 1; n <= 40; n += 1) {
        await add(1_000 * limit + n, { ref, checkedAt: afterNoon(Math.floor(n / 4)) });
      }
      const seen: string[] = [];
      let next: string | null = `/v1/receipts?type=live&ref=${ref}&limit=${limit}`;
      for (let page = 0; next !== null; page += 1) {
        const { json }: { json: Page } = await ask(next);
        expect(json.count).toBe(json.receipts.length);
        seen.push(...json.receipts.map(({ id }) => id));
        next = json.next === null ? null : json.next.slice(BASE_URL.length);
        await add(1_000 * limit + 500 + page, { ref, checkedAt: afterNoon(60_000 + page) });
      }
      expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => receiptId(1_000 * limit + 40 - n)));
    });

    it('the size of the pages may change on the way', async () => {
      const { next_cursor: cursor } = (await ask('/v1/receipts?type=dry-run&limit=20')).json;
      const { json } = await ask(`/v1/receipts?type=dry-run&limit=3&cursor=${cursor}`);
      expect(json.receipts[0].id).toBe('sc-0000000000000069');
    });

    it.each<[string, (cursor: string) => string]>([
      ['one letter changed', (cursor) => (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1)],
      ['its last letter changed', (cursor) => cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A')],
      ['cut short', (cursor) => cursor.slice(0, -4)],
      ['twice in a row', (cursor) => cursor + cursor],
      ['padded', (cursor) => `${cursor}=`],
      ['nothing', () => ''],
      ['a NUL behind it', (cursor) => `${cursor}%00`],
      ['a path', () => '../../etc/passwd'],
      ['a statement', () => "1'%20or%20'1'='1"],
      ['JSON of the kind others use', () => btoa('["2026-11-15T12:00:00Z","sc-0000000000000001"]')],
      ['10 kB', () => 'A'.repeat(10_240)],
      [
        'signed with another key',
        () => encodeCursor(POSITION, { type: 'live', ref: null }, 'another secret'),
      ],
    ])('400: a cursor that is %s', async (_, forge) => {
      const { next_cursor: cursor } = (await ask('/v1/receipts?type=live')).json;
      const { status, json } = await ask(`/v1/receipts?type=live&cursor=${forge(cursor)}`);
      expect([status, json.code, json.field]).toEqual([400, 'bad_request', 'cursor']);
    });

    it.each([
      ['of the other type', 'type=dry-run'],
      ['of a listing without a ref', 'type=live&ref=even'],
      ['of the other type and a ref', 'type=dry-run&ref=even'],
    ])('400: a cursor %s', async (_, listing) => {
      const { next_cursor: cursor } = (await ask('/v1/receipts?type=live&limit=2')).json;
      const { status, json } = await ask(`/v1/receipts?${listing}&cursor=${cursor}`);
      expect([status, json.field]).toEqual([400, 'cursor']);
    });

    it('400: the cursor of another ref', async () => {
      const { next_cursor: cursor } = (await ask('/v1/receipts?type=live&ref=even&limit=2')).json;
      expect((await ask(`/v1/receipts?type=live&ref=odd&cursor=${cursor}`)).status).toBe(400);
      expect((await ask(`/v1/receipts?type=live&cursor=${cursor}`)).status).toBe(400);
    });
  });

  describe('400', () => {
    it.each([
      ...['LIVE', 'live,dry-run', 'live%20', 'crawl', '__proto__', '', 'live%00'].map((v) => ['type', v]),
      ...['', '%25', '*', "'", '%5C', 'a%20b', 'a%00', '%C3%A9', 'x'.repeat(65), 'x'.repeat(9_999)].map(
        (v) => ['ref', v],
      ),
      ...['0', '-1', '101', '1e3', '20%20', '0x10', '20.5', '', '020', '%D9%A2', 'abc', '9'.repeat(99)].map(
        (v) => ['limit', v],
      ),
    ])('%s=%s', async (field, value) => {
      const parameters = field === 'type' ? `type=${value}` : `type=live&${field}=${value}`;
      const { status, json } = await ask(`/v1/receipts?${parameters}`);
      expect([status, json.code, json.field]).toEqual([400, 'bad_request', field]);
    });

    it.each(['ref=even', 'ref=', 'cursor=abc', 'limit=5', 'limit=20', 'page=2&ref=even'])(
      'a parameter of the stored receipts without a type: %s',
      async (query) => {
        const field = /(ref|cursor|limit)/.exec(query)?.[0];
        const answer = await ask(`/v1/receipts?${query}`);
        expectProblem(answer, 400, 'bad_request', field);
      },
    );

    it('a ref without a type, with the way out', async () => {
      expect((await ask('/v1/receipts?ref=even')).json.detail).toBe(
        'ref needs type=live or type=dry-run; the crawl listing has only page.',
      );
    });

    it.each([
      'type=live&type=live',
      'type=live&ref=a&ref=a',
      'type=live&limit=2&limit=2',
      'type=live&cursor=a&cursor=a',
    ])('a parameter sent twice: %s', async (query) => {
      const { status, json } = await ask(`/v1/receipts?${query}`);
      expect([status, json.detail]).toEqual([400, `${json.field} must be sent once.`]);
    });
  });
});

interface Page {
  readonly count: number;
  readonly receipts: readonly { readonly id: string }[];
  readonly next: string | null;
}

const POSITION = { checkedAt: NOON, id: 'sc-0000000000000001' };
