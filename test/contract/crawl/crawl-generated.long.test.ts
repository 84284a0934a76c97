import { afterAll, describe, expect, it } from 'vitest';
import { createSources } from '../../../src/adapters/discovery/create-sources.ts';
import type { Store } from '../../../src/adapters/store/store.ts';
import { readLists } from '../../../src/core/crawl/list-settings.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import { startCrawlWorld } from '../../support/crawling/crawl-world.ts';
import { generatedUrls, LISTS, servingLists, startSellers } from '../../support/crawling/generated-world.ts';
import { sized } from '../../support/sized.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';
import { readingParts } from '../discovery/discovery-server.ts';

const HOSTS = sized(200, 2_000);
const URLS = generatedUrls(8.2 * HOSTS, HOSTS);
const closing: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function sources() {
  const reading = readLists([...LISTS]);
  if (reading.kind === 'invalid') throw new Error(`${reading.field} ${reading.problem}`);
  return createSources(reading.lists, readingParts({ fetch: servingLists(URLS) }));
}

async function published({ runs }: Store): Promise<ReadonlyMap<string, string>> {
  const run = await runs.latest();
  const said = new Map<string, string>();
  for (let page = 1; page <= (run?.summary.receiptPages ?? 0); page += 1) {
    for (const { url, verdict, reason } of await runs.page(run?.id ?? '', 'all', page))
      said.set(url, `${verdict}: ${reason}`);
  }
  return said;
}

describe('a crawl over many listings of many hosts in four formats', () => {
  it('says of every URL what is true, politely', { timeout: 240_000 }, async () => {
    const listings = URLS.flatMap(({ lists }) => lists);
    expect([listings.length >= 10 * HOSTS, new Set(URLS.map(({ url }) => new URL(url).host)).size]).toEqual([
      true,
      HOSTS,
    ]);
    const place = await newSqlitePlace();
    closing.push(place.remove);
    const store = await place.open();
    const { openHost, saw, close } = await startSellers();
    closing.push(close);
    const world = await startCrawlWorld(sources());
    closing.push(world.close);
    const crawled = await crawl({ always: true }, world.parts(store, { openHost, hostsAtOnce: 60 }));
    expect(crawled.kind).toBe('published');

    const said = await published(store);
    const wrong = URLS.filter(({ url, says }) => said.get(url) !== says);
    expect(wrong.map(({ url, says }) => [url, says, said.get(url)])).toEqual([]);
    expect(said.size).toBe(URLS.length);
    const run = await store.runs.latest();
    expect(run?.summary.endpointsCovered).toBe(URLS.length);
    for (const list of ['paged', 'by-cursor', 'whole', 'text']) {
      const count = listings.filter((name) => name === list).length;
      expect([run?.summary.listedIn.get(list), run?.sources.get(list)?.items]).toEqual([count, count]);
    }

    expect(saw.mostPerHost()).toBeLessThanOrEqual(3);
    expect(saw.paymentHeaders()).toBe(0);
    // One request for a URL, two for one that is picky or has moved, and none of them twice. Only a kept connection that
    // ends without a byte is tried once more: to us a seller that resets looks like one that closed it meanwhile.
    const most = (path: string) => (path.startsWith('/v1/reset/') ? 2 : 1);
    expect([...saw.requests].filter(([path, times]) => times > most(path))).toEqual([]);
    expect(saw.requests.size).toBe(URLS.reduce((sum, { requests }) => sum + requests, 0));
    expect(saw.connections()).toBeLessThan(saw.requests.size);
  });
});
