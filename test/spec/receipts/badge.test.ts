import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import { DOORS, type Received } from '../../support/running/running-service.ts';

const title = ({ text }: Received) => /<title>([^<]*)<\/title>/.exec(text)?.[1];

/** Beside the usual answers, an endpoint that only knows POST. */
const postOnly: Script = (socket, request) => {
  if (request.startsWith('GET /post-only')) socket.end(httpAnswer(405, []));
  else scriptedSeller(socket, request.replace('/post-only', '/honest'));
};

describe.each(DOORS)('GET /badge.svg through the %s', (door) => {
  const service = useService({ door, seller: postOnly });
  const badge = (url: string) => service.ask(`/badge.svg?url=${encodeURIComponent(url)}`);
  const check = (url: string, query = '') =>
    service.ask(`/v1/products/endpoint-spot-check?url=${encodeURIComponent(url)}${query}`);

  beforeAll(() =>
    publishCrawl(service.store.runs, 'run-1', [
      crawled('https://a.example/dear', { id: '00000000a1' }),
      crawled('http://seller.example/honest', {
        id: '00000000a2',
        verdict: 'recheck',
        claimedPrice: null,
        listedPayTo: null,
        listedNetwork: null,
        checkedAt: new Date('2026-11-10T12:00:00.000Z'),
      }),
    ]),
  );

  it('unknown without a receipt; it says so in words and asks nobody', async () => {
    const before = service.sellerRequests.length;
    const drawn = await badge('http://seller.example/nobody');
    expect([drawn.status, drawn.header('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(title(drawn)).toBe('Assay: unknown');
    expect(drawn.text).toMatch(/<text [^>]*>unknown<\/text>/);
    expect(drawn.header('cache-control')).toBe('public, max-age=300');
    expect(drawn.header('content-security-policy')).toBe("default-src 'none'");
    expect(service.sellerRequests.length).toBe(before);
  });

  it('shows the crawl, and then the newer check', async () => {
    expect(title(await badge('https://a.example/dear'))).toBe('Assay: skip · 2026-11-15');
    expect(title(await badge('http://seller.example/honest'))).toBe('Assay: recheck · 2026-11-10');
    await check('http://seller.example/honest');
    expect(title(await badge('http://SELLER.example:80/honest#part'))).toBe('Assay: pay · 2026-11-15');
  });

  it('is moved neither by a dry run, nor by a claim of the caller, nor by another method', async () => {
    await check('http://own.example/honest');
    service.at('2026-11-16T12:00:00.000Z');
    await check('http://own.example/honest', '&claimed_price=999');
    await check('http://own.example/honest', '&mode=dry-run');
    await check('http://own.example/honest', '&method=POST&client=another');
    expect(title(await badge('http://own.example/honest'))).toBe('Assay: pay · 2026-11-15');
  });

  it('is not lost among any number of checks with a claim, or with another method', async () => {
    const url = 'http://crowded.example/honest';
    await check(url);
    service.at('2026-11-16T12:00:00.000Z');
    for (let n = 0; n < 12; n += 1) {
      await check(url, `&claimed_price=999&client=claims-${n}`);
      service.at(`2026-11-16T12:${10 + n}:00.000Z`);
      await check(url, `&method=POST&client=posts-${n}`);
    }
    expect(title(await badge(url))).toBe('Assay: pay · 2026-11-15');
  });

  it('shows the method that is asked for: an endpoint that only knows POST can turn green', async () => {
    const url = 'http://posted.example/post-only';
    const of = async (method: string) =>
      title(await service.ask(`/badge.svg?url=${encodeURIComponent(url)}${method}`));
    await check(url);
    service.at('2026-11-16T12:00:00.000Z');
    await check(url, '&method=POST&client=another');
    expect([await of(''), await of('&method=GET'), await of('&method=POST')]).toEqual([
      'Assay: skip · 2026-11-15',
      'Assay: skip · 2026-11-15',
      'Assay: pay · 2026-11-16',
    ]);
    const wrong = await service.ask(`/badge.svg?url=${encodeURIComponent(url)}&method=PUT`);
    expect([wrong.status, title(wrong)]).toEqual([400, 'Assay: not a method']);
  });

  it('shows the crawl only with its own method when one is asked for', async () => {
    const listed = `/badge.svg?url=${encodeURIComponent('https://a.example/dear')}`;
    expect(title(await service.ask(`${listed}&method=GET`))).toBe('Assay: skip · 2026-11-15');
    expect(title(await service.ask(`${listed}&method=POST`))).toBe('Assay: unknown');
  });

  it('is not moved by a check of another spelling, with or without a challenge (gap G99)', async () => {
    await check('http://spelled.example/strict');
    service.at('2026-11-16T12:00:00.000Z');
    const others = ['http://spelled.example/strict/', 'http://spelled.example/strict//'];
    for (const [index, url] of others.entries()) await check(url, `&client=other-${index}`);
    expect(title(await badge('http://spelled.example/strict'))).toBe('Assay: pay · 2026-11-15');
    expect(title(await badge('http://spelled.example/strict/'))).toBe('Assay: skip · 2026-11-16');
  });

  it('a crawl of the listed spelling stands beside a newer failure of another one', async () => {
    service.at('2026-11-17T12:00:00.000Z');
    await check('https://a.example/dear/', '&client=slash');
    expect(title(await badge('https://a.example/dear'))).toBe('Assay: skip · 2026-11-15');
  });

  it.each([
    ['none', ''],
    ['markup', '?url=%22%3E%3Cscript%3Ealert(1)%3C/script%3E'],
    ['a text that is turned around', '?url=%E2%80%AEabc'],
    ['3,000 characters', `?url=http://a.example/${'x'.repeat(3_000)}`],
    ['a password', '?url=http://me:hunter2@a.example/'],
    ['two of them', '?url=http://a.example&url=http://b.example'],
  ])('400, still an image: a URL that is %s', async (_, query) => {
    const drawn = await service.ask(`/badge.svg${query}`);
    expect([drawn.status, title(drawn)]).toEqual([400, 'Assay: not a URL']);
    expect(drawn.text).not.toMatch(/script|hunter2|xxx/);
    expect(drawn.text.length).toBeLessThan(1_200);
  });

  it('is not sent again to whoever has it', async () => {
    const etag = (await badge('https://a.example/dear')).header('etag') ?? '';
    const headers = { 'if-none-match': etag };
    expect((await service.ask('/badge.svg?url=https://a.example/dear', { headers })).status).toBe(304);
  });
});
