import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSource } from '../../../src/core/crawl/list-outcome.ts';
import {
  type Answer,
  type ListServer,
  type ReadOptions,
  readAll,
  sourceOf,
  startListServer,
} from './discovery-server.ts';

let server: ListServer;
beforeAll(async () => {
  server = await startListServer();
});
afterAll(() => server.stop());

async function hashOf(data: object, answer: Answer, options: Partial<ReadOptions> = {}) {
  server.answer(answer);
  const { outcome } = await readAll(sourceOf(data, { fetch: server.fetch, ...options }));
  return listSource(outcome).sha256;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const pageOf = (...numbers: number[]) =>
  `${JSON.stringify({ items: numbers.map((n) => `https://seller.example.com/${n}`) })}\n`;
const OFFSET = { pages: { by: 'offset', size: 2 } };
const PAGES: Readonly<Record<string, string>> = { 0: pageOf(1, 2), 2: pageOf(3, 4), 4: pageOf(5) };
const pages: Answer = ({ searchParams }, response) =>
  response.end(PAGES[searchParams.get('offset') ?? ''] ?? pageOf());

describe('the hash of a list as it was read', () => {
  it('is that of the one document, byte for byte', async () => {
    expect(await hashOf({}, (_, response) => response.end(pageOf(1, 2)))).toBe(sha256(pageOf(1, 2)));
  });

  it('is over the decoded body, however it was sent', async () => {
    const zipped: Answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(pageOf(1, 2)));
    expect(await hashOf({}, zipped)).toBe(sha256(pageOf(1, 2)));
  });

  it('is over all pages in order, the empty one at the end included', async () => {
    expect(await hashOf(OFFSET, pages)).toBe(sha256(pageOf(1, 2) + pageOf(3, 4) + pageOf(5) + pageOf()));
  });

  it('counts a page once that broke off and was read again', async () => {
    let isFirst = true;
    const flaky: Answer = (url, response, request) => {
      if (url.searchParams.get('offset') !== '2' || !isFirst) return pages(url, response, request);
      isFirst = false;
      response.end(pageOf(3, 4).slice(0, 50));
    };
    expect(await hashOf(OFFSET, flaky)).toBe(sha256(pageOf(1, 2) + pageOf(3, 4) + pageOf(5) + pageOf()));
  });

  it('leaves out a page that repeats another one', async () => {
    const same: Answer = (_, response) => response.end(pageOf(1, 2));
    expect(await hashOf(OFFSET, same)).toBe(sha256(pageOf(1, 2)));
  });

  it('is missing for a list that failed, and for one that was cut inside of a page', async () => {
    const half: Answer = (url, response, request) =>
      url.searchParams.get('offset') === '0' ? pages(url, response, request) : response.writeHead(500).end();
    expect(await hashOf(OFFSET, half)).toBeUndefined();
    expect(await hashOf(OFFSET, pages, { limits: { rows: 3 } })).toBeUndefined();
  });

  it('ends with the last whole page at the page limit', async () => {
    expect(await hashOf(OFFSET, pages, { limits: { pages: 2 } })).toBe(sha256(pageOf(1, 2) + pageOf(3, 4)));
  });

  it.each([1, 3])('names every document of a list at many addresses, %i at once', async (at_once) => {
    const directory = '{"sites":["https://a.example","https://b.example","https://c.example"]}';
    const urls = ['a', 'b', 'c'].map((site) => `https://${site}.example/list`);
    const data = { at_once, via: [{ rows: ['sites'], value: 'url', urls: ['{origin}/list'] }] };
    const sites: Answer = ({ host }, response) => {
      if (host === 'list.example.com') response.end(directory);
      else if (host === 'b.example') response.writeHead(404).end();
      // The first one answers last: the order is that of the addresses.
      else
        setTimeout(() => response.end(pageOf(host === 'a.example' ? 1 : 2)), host === 'a.example' ? 30 : 0);
    };
    const lines = [
      `${sha256(directory)}  https://list.example.com/api\n`,
      `${sha256(pageOf(1))}  ${urls[0]}\n`,
      `${sha256(pageOf(2))}  ${urls[2]}\n`,
    ];
    expect(await hashOf(data, sites)).toBe(sha256(lines.join('')));
  });
});
