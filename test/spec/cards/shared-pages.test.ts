import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BROWSER } from '../../support/pages.ts';
import { askPicture } from '../../support/pictures/ask-picture.ts';
import { BASE_URL, startService, type TestService } from '../../support/running/running-service.ts';

/** Pages that are shared, each with its picture and what the picture says in words. */
const PAGES: readonly [page: string, picture: string, alt: string][] = [
  ['/', '/cards/site.png', 'Ask before you pay: pay, skip or recheck'],
  ['/v1/receipts/00000000a1', '/v1/receipts/00000000a1.png?shows=skip', 'Assay receipt. SKIP: a.example'],
  ['/v1/skips', '/cards/skips.png?crawled=2026-11-15', 'The number of listed x402 endpoints to skip'],
  [
    '/v1/services/dear-weather',
    '/cards/service-dear-weather.png',
    'Results of our own paid calls to dear-weather',
  ],
];

describe('a page that is shared', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ door: 'socket' });
    const rows = [crawled('https://a.example/dear', { id: '00000000a1' })];
    await publishCrawl(service.store.runs, 'run-1', rows);
  });
  afterAll(() => service.close());

  it.each(PAGES)('%s has a picture that is there', async (page, picture, alt) => {
    const { text } = await service.ask(page, { headers: BROWSER });
    expect(text).toContain(`<meta property="og:image" content="${BASE_URL}${picture}">`);
    expect(text).toContain(`<meta property="og:image:alt" content="${alt}">`);
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">');
    const { width, height } = (await askPicture(service, picture)).picture();
    expect([width, height]).toEqual([1_200, 630]);
  });
});
