import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSources } from '../../../src/adapters/discovery/create-sources.ts';
import { readLists } from '../../../src/core/crawl/list-settings.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import { type CrawlWorld, startCrawlWorld } from '../../support/crawling/crawl-world.ts';
import { PASSWORD } from '../../support/hostile/hostile-input.ts';
import { startService, type TestService } from '../../support/running/running-service.ts';
import { type ListServer, readingParts, startListServer } from '../discovery/discovery-server.ts';

const SCRIPT = '<script>alert(1)</script>';
const good = (n: number) => `{"url":"http://shop-${n}.example/free/${n}","name":"${SCRIPT}"}`;
const deep = `{"url":"http://shop-9.example/free/9","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;

/** What each list answers, and what the page of a run must say of it. */
const LISTS: Readonly<Record<string, { body: string; items: number | null; note: string }>> = {
  deep: {
    body: `{"items":[${good(1)},${deep}]}`,
    items: 1,
    note: 'complete; excluded: 1 nested too deeply',
  },
  'wrong-types': {
    body: `{"items":[${good(2)},7,null,"x",[],{"url":5},{"url":{}},{"url":["http://a.example/"]},true]}`,
    items: 1,
    note: 'excluded:',
  },
  proto: {
    body: `{"items":[{"__proto__":{"url":"http://evil.example/x"},"constructor":{"prototype":{"polluted":1}}},${good(3)}]}`,
    items: 1,
    note: 'excluded: 1 without an endpoint',
  },
  secrets: {
    body: `{"items":[{"url":"http://me:${PASSWORD}@shop-4.example/x"},${good(4)}]}`,
    items: 1,
    note: 'excluded: 1 with credentials in the URL',
  },
  markup: {
    body: `{"items":[{"url":"http://shop-5.example/free/${SCRIPT}?a=${SCRIPT}\\"onload=alert(1)","name":"\\"><img src=x>"}]}`,
    items: 1,
    note: 'complete',
  },
  endless: { body: '', items: null, note: 'sent a page that is too large' },
};

let lists: ListServer;
let world: CrawlWorld;
let service: TestService;
let sent = 0;

beforeAll(async () => {
  lists = await startListServer();
  lists.answer((url, response) => {
    const name = url.hostname.split('.')[0] ?? '';
    if (name === 'endless') void flood(response);
    else response.end(LISTS[name]?.body ?? '[]');
  });
  const reading = readLists(
    Object.keys(LISTS).map((name) => ({
      name,
      format: 'json',
      url: `https://${name}.example.com/all`,
      rows: ['items'],
    })),
  );
  if (reading.kind === 'invalid') throw new Error(`${reading.field} ${reading.problem}`);
  const limits = { pageBytes: 1_048_576 };
  world = await startCrawlWorld(createSources(reading.lists, readingParts({ fetch: lists.fetch, limits })));
  service = await startService({});
  await crawl({ always: true }, world.parts(service.store));
});
afterAll(async () => {
  await service.close();
  await world.close();
  await lists.stop();
});

/** Writes for as long as somebody listens. */
async function flood(response: ServerResponse): Promise<void> {
  response.write(`{"items":[${good(6)},"`);
  // A closed response never drains.
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  while (!closed.signal.aborted) {
    sent += 65_536;
    if (response.write('x'.repeat(65_536))) continue;
    await once(response, 'drain', { signal: closed.signal }).catch(() => {});
  }
}

describe('lists that mean harm, read by a whole crawl', () => {
  it.each(Object.entries(LISTS))('are told of in sources: %s', async (name, { items, note }) => {
    const { json } = await service.ask('/v1/skips.json');
    const source = json.sources[name];
    expect(source).toMatchObject({ ok: items !== null });
    expect(source.items ?? null).toBe(items);
    expect(source.note).toContain(note);
  });

  it('cost no more than a page', () => {
    expect(sent).toBeGreaterThan(1_048_576);
    expect(sent).toBeLessThan(17 * 1_048_576);
  });

  it('get what they really list onto the page, and no more', async () => {
    const { json } = await service.ask('/v1/skips.json');
    expect(json.skips.map(({ url }: { url: string }) => new URL(url).hostname).sort()).toEqual([
      'shop-1.example',
      'shop-2.example',
      'shop-3.example',
      'shop-4.example',
      'shop-5.example',
    ]);
    expect(Object.keys({})).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });

  it.each(['/v1/skips', '/v1/skips.json', '/v1/receipts'])(
    'put no script and no secret into %s',
    async (path) => {
      const { status, text, header } = await service.ask(path);
      expect(status).toBe(200);
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain('evil.example');
      if (header('content-type')?.startsWith('text/html') !== true) return;
      expect(text).toContain('shop-5.example');
      // Whatever is left of markup in a URL is text.
      expect(text).not.toMatch(/<script>alert|<img src=x|"onload=/i);
      expect(header('content-security-policy')).toContain("default-src 'none'");
    },
  );
});
