import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import {
  ALT_URL,
  BASE_URL,
  DOORS,
  LEGACY_URL,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';

const PATH = '/v1/receipts/00000000a1';

describe.each(DOORS)('caches and addresses of GET /v1/receipts/{id}, through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);

  beforeAll(async () => {
    service = await startService({ door });
    await publishCrawl(service.store.runs, 'run-1', [
      crawled('https://a.example/dear', { id: '00000000a1' }),
    ]);
  });
  afterAll(() => service.close());

  it.each([
    ['the alternative address', 'alt.example.org', ALT_URL],
    ['the legacy address', 'legacy.example.net', LEGACY_URL],
    ['an address that is not ours', 'evil.example', BASE_URL],
  ])('links under %s', async (_, host, base) => {
    const { json } = await ask(PATH, { headers: { host } });
    expect(json).toMatchObject({
      permalink: `${base}/v1/receipts/00000000a1`,
      on_page: `${base}/v1/skips#00000000a1`,
    });
  });

  describe('caching (G82)', () => {
    it('a strong ETag, the same each time, and a year to keep it', async () => {
      const [first, second] = [await ask(PATH), await ask(PATH)];
      expect(first.header('etag')).toMatch(/^"[A-Za-z0-9_-]{20,}"$/);
      expect(second.header('etag')).toBe(first.header('etag'));
      expect(first.header('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(first.header('content-type')).toBe('application/json; charset=utf-8');
    });

    it('another address, other links, another ETag', async () => {
      const elsewhere = await ask(PATH, { headers: { host: 'alt.example.org' } });
      expect(elsewhere.header('etag')).not.toBe((await ask(PATH)).header('etag'));
    });

    it.each<[string, (tag: string) => string, number]>([
      ['the tag', (tag) => tag, 304],
      ['the tag in a list', (tag) => `"other" , ${tag}, "third"`, 304],
      ['the tag marked as weak by a cache', (tag) => `W/${tag}`, 304],
      ['whatever there is', () => '*', 304],
      ['another tag', () => '"other"', 200],
      ['the tag without its quotes', (tag) => tag.slice(1, -1), 200],
      ['nothing', () => '', 200],
    ])('If-None-Match with %s', async (_, value, expected) => {
      const tag = (await ask(PATH)).header('etag') ?? '';
      const { status, text, header } = await ask(PATH, { headers: { 'if-none-match': value(tag) } });
      expect(status).toBe(expected);
      expect(text === '').toBe(expected === 304);
      expect(header('etag')).toBe(tag);
      expect(header('cache-control')).toBe('public, max-age=31536000, immutable');
    });
  });
});
