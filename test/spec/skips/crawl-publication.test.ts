import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crawlRow, unpublished } from '../../../tools/samples/crawl-rows.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { DOORS, NOON, startService, type TestService } from '../../support/running/running-service.ts';

const LATER = new Date(NOON.getTime() + 1_000);

describe.each(DOORS)('a run of the crawl appears whole and at once (G70), through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);

  beforeEach(async () => {
    service = await startService({ door });
  });
  afterEach(() => service.close());

  it.each(['/v1/skips.json', '/v1/receipts'])('before the first run, %s is an empty page', async (path) => {
    const { status, json } = await ask(path);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      endpoints_covered: 0,
      new_this_week: 0,
      previous_run: null,
      crawled_at: null,
      total_receipts: 0,
      skip: 0,
      pay: 0,
      recheck: 0,
      lists: {},
      listed_in: {},
      sources: {},
      featured_mismatch: null,
      skip_pages: 1,
      page_size: 500,
      page: 1,
      pages: 1,
      next: null,
      prev: null,
    });
    expect(json[path === '/v1/receipts' ? 'receipts' : 'skips']).toEqual([]);
    expect((await ask(`${path}?page=2`)).status).toBe(404);
  });

  it('before the first run, the page for people says so', async () => {
    const { status, text } = await ask('/v1/skips');
    expect(status).toBe(200);
    expect(text).toContain('No crawl has been published yet.');
    expect(text).not.toContain('<tr id=');
  });

  it('nothing of a run that is not published can be read', async () => {
    const row = crawled('https://seller.example/honest', { id: '00000000a1' });
    await unpublished(service.store.runs, 'run-1', [row]);
    expect((await ask('/v1/skips.json')).json).toMatchObject({ crawled_at: null, skips: [] });
    expect((await ask('/v1/receipts')).json.receipts).toEqual([]);
    expect((await ask('/v1/skips')).text).not.toContain('seller.example');
    expect((await ask('/v1/receipts/00000000a1')).status).toBe(404);
    expect((await ask('/v1/receipts/by-url?url=https://seller.example/honest')).status).toBe(404);
    const { receipt_id: id } = (
      await ask('/v1/products/endpoint-spot-check?url=http://seller.example/honest')
    ).json;
    expect((await ask(`/v1/receipts/${id}`)).json.listing).toBeNull();
  });

  it('a receipt asked for too early is found once it is published', async () => {
    const row = crawled('https://a.example/', { id: '00000000a1' });
    expect((await ask('/v1/receipts/00000000a1')).status).toBe(404);
    await publishCrawl(service.store.runs, 'run-1', [row]);
    expect((await ask('/v1/receipts/00000000a1')).status).toBe(200);
  });

  it.each(['/v1/skips.json', '/v1/skips', '/v1/receipts'])(
    'a new run takes the place of the old one in %s within a second',
    async (path) => {
      await publishCrawl(service.store.runs, 'run-1', [crawlRow(1), crawlRow(2)], { crawledAt: NOON });
      const urlsIn = ({ text }: { readonly text: string }) => text.replaceAll('<wbr>', '');
      const old = await ask(path);
      expect(urlsIn(old)).toContain('https://a.example/000002');
      await publishCrawl(service.store.runs, 'run-2', [crawlRow(3)], { crawledAt: LATER, previousRun: NOON });
      service.clock.now = LATER;
      const fresh = await ask(path);
      expect(urlsIn(fresh)).toContain('https://a.example/000003');
      expect(urlsIn(fresh)).not.toContain('https://a.example/000002');
      expect(fresh.text).toContain('2026-11-15T12:00:01.000Z');
      expect(fresh.header('etag')).not.toBe(old.header('etag'));
      const headers = { 'if-none-match': old.header('etag') ?? '' };
      expect((await ask(path, { headers })).status).toBe(200);
    },
  );

  it('every receipt of an old run keeps its permalink and its content, but has no row any more', async () => {
    await publishCrawl(service.store.runs, 'run-1', [crawlRow(1)]);
    const before = await ask('/v1/receipts/0000000001');
    await publishCrawl(service.store.runs, 'run-2', [crawlRow(2)], { crawledAt: LATER });
    service.clock.now = LATER;
    const after = await ask('/v1/receipts/0000000001');
    expect(after.status).toBe(200);
    expect(after.json).toEqual({ ...before.json, on_page: before.json.permalink });
    expect(before.json.on_page).toMatch(/\/v1\/skips#0000000001$/);
    expect(after.header('etag')).not.toBe(before.header('etag'));
  });

  it('new_this_week and previous_run compare with the run before (G73)', async () => {
    await publishCrawl(service.store.runs, 'run-1', [crawlRow(1), crawlRow(2)], { crawledAt: NOON });
    const kept = { ...crawlRow(3), urlKey: 'key-1' };
    await publishCrawl(service.store.runs, 'run-2', [kept, crawlRow(4)], {
      crawledAt: LATER,
      previousRun: NOON,
    });
    expect((await ask('/v1/skips.json')).json).toMatchObject({
      endpoints_covered: 2,
      new_this_week: 1,
      previous_run: '2026-11-15T12:00:00.000Z',
      crawled_at: '2026-11-15T12:00:01.000Z',
    });
  });

  it('a run without a skip has one empty page and no example', async () => {
    await publishCrawl(service.store.runs, 'run-1', [
      crawlRow(1, { verdict: 'pay', reason: 'matches listing' }),
    ]);
    const { json } = await ask('/v1/skips.json');
    expect(json).toMatchObject({
      skip: 0,
      pay: 1,
      featured_mismatch: null,
      pages: 1,
      skip_pages: 1,
      skips: [],
    });
    expect((await ask('/v1/skips.json?page=2')).status).toBe(404);
  });

  it('list names from outside cannot reach the prototype', async () => {
    const row = crawlRow(1, { sourceList: '__proto__', listedIn: ['__proto__', 'constructor'] });
    const sources = new Map([['__proto__', { ok: true, items: 1, skipped: false, note: '<b>' }]]);
    await publishCrawl(service.store.runs, 'run-1', [row], { sources });
    const { text } = await ask('/v1/skips.json');
    expect(text).toContain('"lists":{"__proto__":1}');
    expect(text).toContain('"listed_in":{"__proto__":1,"constructor":1}');
    expect(text).toContain('"sources":{"__proto__":{"ok":true,"items":1,"note":"<b>"}}');
  });
});
