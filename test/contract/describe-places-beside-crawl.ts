import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/adapters/store/store.ts';
import { NOON } from '../../tools/samples/store-receipts.ts';
import { LONG_MS, sealedRun } from '../support/crawling/crawl-work.ts';
import { askedPlace } from '../support/probe-places.ts';
import type { NewPlace, Place } from '../support/stores.ts';

/** What every store promises a host at which both the crawl and callers are (gaps G38 and G76). */
export function describePlacesBesideCrawl(name: string, newPlace: NewPlace): void {
  describe(`places beside the crawl on ${name}`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
      await store.runs.begin('run', NOON);
      await sealedRun(store.crawlWork, 'run', { a: 9, b: 1, c: 2 });
    });
    afterEach(() => place.remove());

    const ask = (url: string) => store.places.take(askedPlace(url), LONG_MS);
    const leave = (url: string) => store.places.giveBack(askedPlace(url));
    const live = async (host: string) => (await store.places.liveAt([`key of ${host}.example`]))[0];

    const hold = (host = 'a.example') => ({ runId: 'run', host, owner: 'crawl' });

    const crawl = (leaseMs: number) => store.crawlWork.take('run', 'crawl', 9, leaseMs);
    const wanted = () => store.crawlWork.wanted('run', ['a.example', 'b.example', 'c.example']);

    it('are as good as ever while the crawl only lists a host', async () => {
      expect([await ask('a/1'), await ask('a/2'), await ask('a/3')]).toEqual(['taken', 'taken', 'taken']);
      expect(await wanted()).toEqual([]);
    });

    it('are what its lanes leave, and it hears that somebody wanted one', async () => {
      await crawl(LONG_MS);
      expect([await ask('a/1'), await wanted()]).toEqual(['crawled', ['a.example']]);
      expect(await store.crawlWork.renew(hold(), LONG_MS, 2)).toBe(true);
      expect([await ask('a/1'), await ask('a/1'), await ask('a/2')]).toEqual([
        'taken',
        'in_flight',
        'crawled',
      ]);
      // The crawl counts by host name, on whatever port.
      expect(await ask('a:8443/1')).toBe('crawled');
      await leave('a/1');
      expect(await ask('a:8443/1')).toBe('taken');
    });

    it('are more when few URLs are left: what is done is not in flight', async () => {
      await crawl(LONG_MS);
      expect([await ask('b/1'), await ask('b/2'), await ask('b/3')]).toEqual(['taken', 'taken', 'crawled']);
      expect([await ask('c/1'), await ask('c/2')]).toEqual(['taken', 'crawled']);
    });

    it('are free once the crawl lets go of the host', async () => {
      await crawl(LONG_MS);
      await store.crawlWork.release(hold());
      expect(await ask('a/1')).toBe('taken');
    });

    it('are free once its hold has run out, and whoever held it cannot go on as if nobody had come', async () => {
      await crawl(0);
      expect(await ask('a/1')).toBe('taken');
      expect([await store.crawlWork.renew(hold(), LONG_MS), await live('a')]).toEqual([false, 1]);
      // Where nobody came, it can.
      expect(await store.crawlWork.renew(hold('c.example'), LONG_MS)).toBe(true);
    });

    // SQLite has one writer at a time: nobody is ever just taking a host.
    it.runIf(name === 'PostgreSQL')('wait for a crawl that is just taking the host', async () => {
      await place.ask('begin');
      await place.ask(
        `update crawl_hosts set owner = 'crawl', lease_until = ${Date.now() + LONG_MS} where host = 'a.example'`,
      );
      const asking = ask('a/1');
      const early = await Promise.race([asking, new Promise((done) => setTimeout(done, 100, 'waits'))]);
      await place.ask('commit');
      expect([early, await asking, await live('a')]).toEqual(['waits', 'crawled', 0]);
    });

    it('are seen by a crawl that takes the host, or it is seen by them, 30 times over', async () => {
      const { crawlWork } = await place.open();
      const rounds: string[] = [];
      for (let round = 0; round < 30; round += 1) {
        const [runId, host] = [`race-${round}`, `h${round}`];
        await sealedRun(store.crawlWork, runId, { [host]: 3 });
        const crawling = async () => ({
          got: await crawlWork.take(runId, 'crawl', 1, LONG_MS),
          live: await live(host),
        });
        const early = round % 2 === 0 ? crawling() : null;
        const asking = Promise.all([1, 2, 3].map((n) => ask(`${host}/${n}`)));
        const seen = await (early ?? crawling());
        const taken = (await asking).filter((answer) => answer === 'taken').length;
        // A host that somebody is just looking at is passed over and taken later.
        if (seen.got.length > 0) rounds.push(seen.live === taken ? 'seen' : 'missed');
      }
      expect(new Set(rounds)).toEqual(new Set(['seen']));
    });
  });
}
