import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPainter } from '../../../src/adapters/pictures/create-painter.ts';
import { siteCard } from '../../../src/pages/cards/site-card.ts';
import { readAsset } from '../../../src/pages/frame/read-asset.ts';
import type { PaintPicture } from '../../../src/ports/pictures/paint-picture.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { askPicture } from '../../support/pictures/ask-picture.ts';
import { readPng } from '../../support/pictures/read-png.ts';
import { startService, type TestService } from '../../support/running/running-service.ts';

describe('/cards', () => {
  let service: TestService;
  const card = (name: string, headers = {}) => askPicture(service, `/cards/${name}`, headers);
  beforeAll(async () => {
    service = await startService({ door: 'socket' });
  });
  afterAll(() => service.close());

  it('the skips: a picture before the first run, and another one with its numbers', async () => {
    const before = await card('skips.png');
    expect(before.status).toBe(200);
    const rows = [crawled('https://a.example/dear', { id: '00000000a1' })];
    await publishCrawl(service.store.runs, 'run-1', rows);
    service.clock.now = new Date(service.clock.now.getTime() + 1_000);
    const { headers, picture, bytes } = await card('skips.png');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(picture().count('#b3261e')).toBeGreaterThan(30_000);
    expect(bytes.equals(before.bytes)).toBe(false);
    expect(bytes.length).toBeLessThan(60_000);
  });

  it('a service of the catalog', async () => {
    const { status, picture, bytes } = await card('service-dear-weather.png');
    const { width, height, count } = picture();
    expect([status, width, height]).toEqual([200, 1_200, 630]);
    expect(count('#55606e')).toBeGreaterThan(5_000);
    expect(bytes.length).toBeLessThan(60_000);
    expect(bytes.equals((await card('service-search-one.png')).bytes)).toBe(false);
  });

  it('the site: what its program draws today, without painting', async () => {
    const { status, headers, bytes } = await card('site.png');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      ...[200, 'image/png', 'public, max-age=3600'],
    ]);
    expect(bytes.equals(readAsset('card.png'))).toBe(true);
    const painter = createPainter({ onFault: (fault) => service.faults.push(fault), timeLimitMs: 200_000 });
    const drawn = readPng((await painter.paint(await siteCard())) ?? Buffer.alloc(0));
    await painter.close();
    const kept = readPng(bytes);
    const differing = Array.from(
      { length: 1_200 * 630 },
      (_, at) => [at % 1_200, Math.floor(at / 1_200)] as const,
    );
    expect(differing.filter(([x, y]) => drawn.at(x, y) !== kept.at(x, y))).toEqual([]);
  });

  it.each([
    '',
    'x.png',
    'skips',
    'service-.png',
    'service-nobody.png',
    `service-${'x'.repeat(99)}.png`,
    '__proto__',
    'constructor',
    'service-..%2F..%2Fx.png',
  ])('404 for %o', async (name) => {
    expect((await card(name)).status).toBe(404);
  });

  it('answers HEAD without a body', async () => {
    const { status, headers } = await fetch(`${service.address}/cards/skips.png`, { method: 'HEAD' });
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});

describe('cards when pictures cannot be painted', () => {
  const painted: string[] = [];
  const state = { isBusy: true };
  const paint: PaintPicture = async (svg) => {
    painted.push(svg);
    return state.isBusy ? null : Buffer.alloc(100_000, 1);
  };
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ door: 'socket', world: { painter: { paint, close: async () => {} } } });
    const rows = Array.from({ length: 100 }, (_, n) =>
      crawled(`https://a.example/${n}`, { id: `0000000${String(n).padStart(3, '0')}` }),
    );
    await publishCrawl(service.store.runs, 'run-1', rows);
  });
  afterAll(() => service.close());
  const card = (n: number) =>
    askPicture(service, `/v1/receipts/0000000${String(n).padStart(3, '0')}.png`, {
      'x-forwarded-for': `100.64.0.${n + 1}`,
    });

  it('sends callers to the card of the site, which no cache keeps in place of the other', async () => {
    const { status, headers } = await card(1);
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      ...[302, '/cards/site.png', 'no-store'],
    ]);
    expect((await askPicture(service, '/cards/site.png')).status).toBe(200);
    state.isBusy = false;
    expect((await card(1)).status).toBe(200);
  });

  it('concurrent callers share a painting, later ones the picture', async () => {
    painted.splice(0);
    await Promise.all(Array.from({ length: 5 }, () => card(2)));
    await card(2);
    expect(painted).toHaveLength(1);
  });

  it('keeps no more than 8 MB of pictures', async () => {
    for (let n = 0; n < 100; n += 1) expect((await card(n)).status).toBe(200);
    painted.splice(0);
    for (let n = 99; n >= 0; n -= 1) await card(n);
    // Of 10 MB the newest fit.
    expect(painted.length).toBeGreaterThan(15);
    expect(painted.length).toBeLessThan(40);
  });
});
