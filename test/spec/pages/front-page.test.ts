import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { expectUnbroken, wordsOf } from '../../support/pages.ts';
import { BASE_URL, DOORS, startService } from '../../support/running/running-service.ts';

const FROM = { from: '100.64.9.1' };

describe.each(DOORS)('GET / through the %s', (door) => {
  const service = useService({ door });

  it('says so while no crawl has been published', async () => {
    expect(wordsOf(await service.ask('/'))).toContain('No crawl has been published yet.');
  });

  describe('with a crawl', () => {
    beforeAll(() =>
      publishCrawl(service.store.runs, 'run-1', [
        crawled('https://a.example/dear', { id: '00000000a1' }),
        crawled('https://c.example/fine', { id: '00000000c3', verdict: 'pay', code: 'price_ok' }),
      ]),
    );

    it('has one input, the numbers of the crawl, the verdicts and the promises', async () => {
      service.at('2026-11-15T12:00:10.000Z');
      const page = await service.ask('/');
      expect([page.status, page.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text.match(/<input [^>]*required/g)).toHaveLength(1);
      const words = wordsOf(page);
      for (const text of [
        '1 of 2 listed endpoints to skip',
        'the first run.',
        'pay 1',
        'What a check does not prove',
        'Payment buys query access only.',
        'Assay never pays a target',
        'no customer funds',
      ]) {
        expect(words).toContain(text);
      }
      expect(words).toContain(`curl -s '${BASE_URL}/v1/products/endpoint-spot-check?url=`);
      expectUnbroken(page);
    });
  });

  it('shows what is left of the day, and looking at it uses nothing', async () => {
    for (let look = 0; look < 3; look += 1) {
      expect(wordsOf(await service.ask('/', FROM))).toContain(
        'Left today: 1 of 1 free checks and 50 of 50 dry runs',
      );
    }
    await service.ask('/v1/products/endpoint-spot-check?url=http://seller.example/honest', FROM);
    const words = wordsOf(await service.ask('/', FROM));
    expect(words).toContain("Today's free check is used; 50 of 50 dry runs are left");
    expect(words).toContain('Further checks cost a tenth of what the endpoint asks, $0.01 to $0.25');
  });

  it('is kept by no cache, for it shows what one caller has left', async () => {
    const page = await service.ask('/');
    expect([page.header('cache-control'), page.header('etag')]).toEqual(['no-store', null]);
    expect(page.header('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; script-src 'self'",
    );
    expect(page.header('referrer-policy')).toBe('same-origin');
    expect(page.header('link')).toBe(
      '</llms.txt>; rel="describedby", </.well-known/api-catalog>; rel="api-catalog"',
    );
  });

  it.each(['/', '/check'])('%s fills in the form from a link and checks nothing', async (path) => {
    const before = service.sellerRequests.length;
    const query = 'url=http://seller.example/honest&claimed_price=0.02&method=POST&network=eip155:137';
    const page = await service.ask(`${path}?${query}`, FROM);
    expect(page.text).toContain('value="http://seller.example/honest"');
    expect(page.text).toContain('value="0.02"');
    expect(page.text).toMatch(/<option value="POST" selected>/);
    expect(page.text).toMatch(/<option value="eip155:137" selected>/);
    expect(page.text).toContain('<details open>');
    expect(page.header('x-robots-tag')).toBe('noindex');
    expect(service.sellerRequests.length).toBe(before);
  });

  it.each([
    ['markup', '"><script>alert(1)</script>'],
    ['a text that is turned around', 'http://a.example/\u202egnp'],
    ['2,000 characters', `http://a.example/${'x'.repeat(2_000)}`],
    ['a password', 'http://me:hunter2@a.example/'],
  ])('is not broken by %s in a link', async (_, url) => {
    const page = await service.ask(`/?url=${encodeURIComponent(url)}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('hunter2');
    expectUnbroken(page);
    expectUnbroken(
      await service.ask(`/?pay_to=${encodeURIComponent(url)}&claimed_price=${encodeURIComponent(url)}`),
    );
  });

  it('weighs little', async () => {
    const sizes = await Promise.all(
      ['/', '/style.css', '/assay.js', '/favicon.svg'].map(
        async (path) => (await service.ask(path)).text.length,
      ),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  });
});

describe('a store that fails', () => {
  it('leaves a page without numbers', async () => {
    const service = await startService();
    await service.store.close();
    const page = await service.ask('/');
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toContain('Your remaining free checks cannot be shown at the moment.');
    await service.close().catch(() => {});
  });
});
