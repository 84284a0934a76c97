import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlId, unpublished } from '../../../tools/samples/crawl-rows.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import {
  ALT_URL,
  BASE_URL,
  DOORS,
  NOON,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

describe.each(DOORS)('GET /v1/receipts/by-url through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);
  const byUrl = (url: string) => ask(`/v1/receipts/by-url?url=${encodeURIComponent(url)}`);
  /** Each a millisecond after the one before, so that it is clear which is the latest. */
  const check = async (url: string, query = ''): Promise<string> => {
    service.clock.now = new Date(service.clock.now.getTime() + 1);
    return (await ask(`${SPOT_CHECK}?url=${encodeURIComponent(url)}${query}`)).json.receipt_id;
  };

  beforeAll(async () => {
    service = await startService({ door });
    for (let week = 1; week <= 22; week += 1) {
      const checkedAt = new Date(NOON.getTime() - (22 - week) * WEEK_MS);
      const listed = crawled('https://weekly.example/x', { id: crawlId(week), checkedAt });
      await publishCrawl(service.store.runs, `run-${week}`, [listed], { crawledAt: checkedAt });
    }
  });
  afterAll(() => service.close());

  describe('400, with the field and without an echo', () => {
    it.each([
      ['no url', ''],
      ['an empty one', '?url='],
      ['two of them', '?url=http://a.example&url=http://a.example'],
      ['no URL at all', '?url=hunter2'],
      ['another scheme', '?url=ftp://a.example/hunter2'],
      ['a script', '?url=javascript:hunter2'],
      ['a password', '?url=http://user:hunter2@a.example/'],
      ['a user name', '?url=http://hunter2@a.example/'],
      ['a line break', '?url=http://a.example/%0ahunter2'],
      ['a NUL', '?url=http://a.example/%00hunter2'],
      ['a blank around it', '?url=%20http://a.example/hunter2'],
      ['no host', '?url=http://?hunter2'],
      ['a broken host', '?url=http://a..example/hunter2'],
      ['more than 2,048 bytes', `?url=http://a.example/hunter2${'x'.repeat(2_048)}`],
    ])('%s', async (_, query) => {
      const { status, json, text } = await ask(`/v1/receipts/by-url${query}`);
      expect([status, json.code, json.field]).toEqual([400, 'bad_request', 'url']);
      expect(text).not.toContain('hunter2');
    });
  });

  describe('404', () => {
    it('a problem with the URL and an address that really runs a dry run', async () => {
      const url = 'http://seller.example/honest?fresh=1&q=a%20b';
      const missing = await byUrl(url);
      expect(missing.status).toBe(404);
      expect(missing.header('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(missing.header('cache-control')).toBe('no-store');
      expect(missing.json).toMatchObject({
        status: 404,
        code: 'no_receipt',
        url,
        check_now: `${BASE_URL}${SPOT_CHECK}?mode=dry-run&url=http%3A%2F%2Fseller.example%2Fhonest%3Ffresh%3D1%26q%3Da%2520b`,
      });
      const checked = await ask(missing.json.check_now.slice(BASE_URL.length));
      expect(checked.status).toBe(200);
      const found = await byUrl(url);
      expect(found.status).toBe(200);
      expect(found.json).toMatchObject({
        latest_live: null,
        latest_dry_run: { id: checked.json.receipt_id, url, mode: 'dry-run' },
        latest_crawl: null,
        history: [],
      });
    });

    it('check_now stays under the address that was called', async () => {
      const { json } = await ask('/v1/receipts/by-url?url=http://nobody.example/', {
        headers: { host: 'alt.example.org' },
      });
      expect(json.check_now).toMatch(new RegExp(`^${ALT_URL}/v1/products/`));
    });

    it.each([
      ['another path', 'https://weekly.example/x/y'],
      ['a prefix', 'https://weekly.example/'],
      ['another scheme', 'http://weekly.example/x'],
      ['another port', 'https://weekly.example:8443/x'],
      ['another letter case of the path', 'https://weekly.example/X'],
      ['one more parameter', 'https://weekly.example/x?a=1'],
      ['a URL that is never fetched', 'http://127.0.0.1/x'],
    ])('%s is another endpoint', async (_, url) => {
      expect((await byUrl(url)).status).toBe(404);
    });

    it('a run that is not published', async () => {
      await unpublished(service.store.runs, 'unseen', [
        crawled('https://unseen.example/', { id: 'ffffffff01' }),
      ]);
      expect((await byUrl('https://unseen.example/')).status).toBe(404);
    });
  });

  describe('200', () => {
    it('a failure counts for its own spelling only, however many there are (gap G99)', async () => {
      const url = 'http://seller.example/strict?spelled=1';
      const [live, dryRun] = [await check(url), await check(url, '&mode=dry-run')];
      const odd = 'http://seller.example/strict/?spelled=1';
      // By then the first probe is not reused any more.
      service.clock.now = new Date(service.clock.now.getTime() + 301_000);
      const oddLive = await check(odd, '&client=odd');
      for (let more = 0; more < 25; more += 1) await check(odd, `&mode=dry-run&client=odd-${more % 2}`);
      const { json } = await byUrl(url);
      expect([json.latest_live.id, json.latest_dry_run.id]).toEqual([live, dryRun]);
      expect((await byUrl(odd)).json.latest_live.id).toBe(oddLive);
      const never = (await byUrl('http://seller.example/strict//?spelled=1')).json;
      expect([never.latest_live.id, never.latest_dry_run]).toEqual([live, null]);
    });

    it('the last live decision and the last dry run, each whole', async () => {
      const url = 'http://seller.example/honest?two=1';
      await check(url);
      await check(url, '&mode=dry-run');
      const [live, dryRun] = [await check(url), await check(url, '&mode=dry-run')];
      const { json, header } = await byUrl(url);
      expect(Object.keys(json).sort()).toEqual(['history', 'latest_crawl', 'latest_dry_run', 'latest_live']);
      expect(json.latest_live).toEqual((await ask(`/v1/receipts/${live}`)).json);
      expect(json.latest_dry_run).toEqual((await ask(`/v1/receipts/${dryRun}`)).json);
      expect(header('cache-control')).toBe('public, max-age=30');
    });

    it('the latest crawl and the last 20 weeks, newest first', async () => {
      const { json } = await byUrl('https://weekly.example/x');
      expect(json).toMatchObject({ latest_live: null, latest_dry_run: null });
      expect(json.latest_crawl).toMatchObject({
        id: '0000000016',
        url: 'https://weekly.example/x',
        verdict: 'skip',
        check_type: 'self-checked',
        permalink: `${BASE_URL}/v1/receipts/0000000016`,
      });
      expect(json.history).toHaveLength(20);
      expect(json.history[0]).toEqual({
        id: '0000000016',
        verdict: 'skip',
        quoted_price_usd: 0.05,
        pay_to: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
        timestamp: '2026-11-15T12:00:00.000Z',
      });
      expect(json.history[19]).toMatchObject({ id: '0000000003', timestamp: '2026-07-05T12:00:00.000Z' });
    });

    it.each([
      ['as it was checked', 'http://seller.example/honest?b=2&a=1'],
      ['another letter case of scheme and host', 'HTTP://Seller.EXAMPLE/honest?b=2&a=1'],
      ['its default port', 'http://seller.example:80/honest?b=2&a=1'],
      ['a fragment', 'http://seller.example/honest?b=2&a=1#part'],
      ['a trailing slash', 'http://seller.example/honest/?b=2&a=1'],
      ['another order of the query', 'http://seller.example/honest?a=1&b=2'],
      ['empty parts in the query', 'http://seller.example/honest?&a=1&&b=2&'],
      ['a dot behind the host', 'http://seller.example./honest?b=2&a=1'],
    ])('found by %s', async (_, url) => {
      const id = await check('http://seller.example/honest?b=2&a=1');
      const { status, json } = await byUrl(url);
      expect([status, json.latest_live?.id]).toEqual([200, id]);
    });

    it('found by the exact URL although it is shown without its key, and by no other key', async () => {
      const url = (key: string) => `http://seller.example/honest?api_key=${key}`;
      const id = await check(url('hunter2'));
      const { json, text } = await byUrl(url('hunter2'));
      expect(json.latest_live).toMatchObject({ id, url: url('REDACTED') });
      expect(text).not.toContain('hunter2');
      expect((await byUrl(url('REDACTED'))).status).toBe(404);
      expect((await byUrl(url('hunter3'))).status).toBe(404);
    });

    it('a check of a listed URL shows both', async () => {
      const id = await check('https://weekly.example/x');
      const { json } = await byUrl('https://weekly.example/x');
      expect([json.latest_live.id, json.latest_crawl.id]).toEqual([id, '0000000016']);
    });

    it('of one method when one is asked for', async () => {
      const url = 'http://methods.example/honest';
      const get = await check(url);
      const post = await check(url, '&method=POST');
      const path = `/v1/receipts/by-url?url=${encodeURIComponent(url)}`;
      const ids: string[] = [];
      for (const method of ['GET', 'POST'])
        ids.push((await ask(`${path}&method=${method}`)).json.latest_live.id);
      expect(ids).toEqual([get, post]);
      expect((await ask(`${path}&method=PUT`)).json).toMatchObject({ status: 400, field: 'method' });
      const crawl = `/v1/receipts/by-url?url=${encodeURIComponent('https://weekly.example/x')}&method=POST`;
      expect((await ask(crawl)).json).toMatchObject({ status: 404, code: 'no_receipt' });
    });

    it('304 to whoever has it, 200 once there is something new', async () => {
      const url = 'http://seller.example/honest?cached=1';
      await check(url);
      const tag = (await byUrl(url)).header('etag') ?? '';
      const path = `/v1/receipts/by-url?url=${encodeURIComponent(url)}`;
      expect((await ask(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
      await check(url, '&mode=dry-run');
      expect((await ask(path, { headers: { 'if-none-match': tag } })).status).toBe(200);
    });
  });
});
