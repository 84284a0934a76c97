import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import type { ListedEndpoint } from '../../../../src/core/crawl/listed-endpoint.ts';
import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import type { CrawlWork } from '../../../../src/ports/crawl-work.ts';
import { THIEF } from '../../../../tools/samples/challenge.ts';
import { unpublished } from '../../../../tools/samples/crawl-rows.ts';
import { listed, listedInput, network } from '../../../../tools/samples/listed.ts';
import {
  done,
  keyOf,
  LONG_MS,
  list,
  RANK,
  receiptOf,
  sealedRun,
  urlsLeft,
  urlsOf,
} from '../../../support/crawling/crawl-work.ts';
import { sized } from '../../../support/sized.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const URL = 'https://a.example/1';
const NOTHING = { hosts: 0, hostsLeft: 0, urls: 0, urlsLeft: 0 };
/** The same URL on three lists, which claim the same. */
const onList = (name: string) => listed(URL, { list: name, service: `what ${name} calls it` });
const [FIRST, SECOND, THIRD] = [onList('first-list'), onList('second-list'), onList('third-list')];
const SAME_NAMES = {
  example: {
    query: ['a', 'a', '', '__proto__'].map((name, n) => [name, n === 2 ? '' : `${n}`] as const),
    body: null,
  },
};

/** What every store of crawl work promises about the URLs of a run. */
export function describeCrawlWork(name: string, newPlace: NewPlace): void {
  describe(`crawl work on ${name}`, () => {
    let place: Place;
    let store: Store;
    let work: CrawlWork;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
      work = store.crawlWork;
    });
    afterEach(() => place.remove());

    const listedOn = async (listName: string, after: string | null = null, limit = 9, runId = 'run') =>
      (await work.listed(runId, listName, after, limit)).map(({ urlKey }) => urlKey);
    const rowsOf = async (runId: string) => {
      const tables = ['crawl_work', 'crawl_hosts', 'crawl_targets', 'crawl_listed'];
      const counts: number[] = [];
      for (const table of tables) {
        const [row] = await place.ask(`select count(*) as rows from ${table} where run_id = '${runId}'`);
        counts.push(Number(row?.['rows']));
      }
      return counts;
    };

    it('knows nothing of a run that it was never told of', async () => {
      const hold = { runId: 'run', host: 'a.example', owner: 'me' };
      expect(await work.progress('run')).toEqual(NOTHING);
      expect(await listedOn('first-list')).toEqual([]);
      expect(await work.left('run', 'a.example', null, 9)).toEqual([]);
      expect(await work.take('run', 'me', 9, LONG_MS)).toEqual([]);
      expect(await work.renew(hold, LONG_MS)).toBe(false);
      expect(await done(work, hold, [receiptOf(URL, 1)], LONG_MS)).toBe(false);
      await work.release(hold);
      expect(await work.forget('run', 9)).toBe(0);
      expect(await rowsOf('run')).toEqual([0, 0, 0, 0]);
    });

    it.each<[string, ListedEndpoint]>([
      ['the least that a list says', listed(URL, { claim: { price: null, payTo: null, network: null } })],
      [
        'all that a list can say',
        listed(URL, {
          method: 'POST',
          input: listedInput({ example: { query: [], body: '{"city":"Zürich","n":[1.50]}' } }),
          service: 'Weather <b>of</b> the world',
          updatedMs: 1_794_734_266_352,
        }),
      ],
      [
        'a price beyond every number, elsewhere',
        listed(URL, {
          claim: { price: microUsd(2n ** 256n - 1n), payTo: 'Payee', network: network('solana') },
        }),
      ],
      [
        'parameters with the same name twice, an empty one, and one that objects treat in their own way',
        listed(URL, { input: listedInput({ ...SAME_NAMES, path: [['id', '7']], required: ['a', 'b'] }) }),
      ],
      [
        'characters that no engine stores',
        listed(URL, { input: listedInput({ built: { query: [], body: '\0 \ud800 \u2028' } }) }),
      ],
      ['a time before 1970', listed(URL, { updatedMs: -1 })],
      ['a URL with a secret in it', listed('https://a.example/v1?api_key=s3cret&x=%2F')],
      ['an address and a port', listed('http://[2001:db8::1]:8080/%7Bid%7D')],
      ['a name in another script', listed('https://bücher.example./')],
    ])('gives back what was listed: %s', async (_, endpoint) => {
      await list(work, 'run', [endpoint]);
      const found = [{ urlKey: keyOf(endpoint), endpoint }];
      expect(await work.left('run', endpoint.target.host, null, 9)).toEqual(found);
      expect(await work.listed('run', 'first-list', null, 9)).toEqual(found);
    });

    it.each<[string, ListedEndpoint[][]]>([
      ['one after the other', [[FIRST], [SECOND], [THIRD]]],
      ['the worst first', [[THIRD], [SECOND], [FIRST]]],
      ['at once', [[SECOND, THIRD, FIRST]]],
      ['again and again', [[SECOND], [FIRST, SECOND, THIRD], [THIRD, THIRD], [SECOND]]],
      ['already merged', [[{ ...SECOND, listedIn: ['second-list', 'third-list'] }], [FIRST]]],
    ])('keeps a URL once, with all its lists and the best claim: listed %s', async (_, batches) => {
      for (const batch of batches) await list(work, 'run', batch);
      const merged = { ...FIRST, listedIn: ['first-list', 'second-list', 'third-list'] };
      expect(await work.left('run', 'a.example', null, 9)).toEqual([
        { urlKey: keyOf(FIRST), endpoint: merged },
      ]);
      for (const { list: name } of [FIRST, SECOND, THIRD]) {
        expect(await listedOn(name)).toEqual([keyOf(FIRST)]);
      }
      expect(await work.progress('run')).toEqual({ hosts: 1, hostsLeft: 1, urls: 1, urlsLeft: 1 });
    });

    it('keeps what other rows claim instead, each claim once (G99)', async () => {
      const swapped = { ...SECOND.claim, payTo: THIEF };
      await list(work, 'run', [{ ...SECOND, claim: swapped }]);
      await list(work, 'run', [FIRST, { ...THIRD, claim: swapped }]);
      const [row] = await work.left('run', 'a.example', null, 9);
      expect(row?.endpoint).toMatchObject({
        claim: FIRST.claim,
        otherClaims: [{ ...swapped, sourceList: 'second-list' }],
      });
    });

    it('knows what is on a list and reads it in steps, strictly after a key', async () => {
      await list(work, 'run', [...urlsOf('a', 3), ...urlsOf('b', 2, { list: 'second-list' })]);
      await list(work, 'run', urlsOf('a', 1, { list: 'second-list' }));
      await list(work, 'other', urlsOf('c', 4));
      const key = (host: string, n: number) => `key of https://${host}.example/${n}`;
      expect(await listedOn('first-list')).toEqual([key('a', 1), key('a', 2), key('a', 3)]);
      expect(await listedOn('first-list', null, 2)).toEqual([key('a', 1), key('a', 2)]);
      expect(await listedOn('first-list', key('a', 2), 2)).toEqual([key('a', 3)]);
      expect(await listedOn('first-list', 'key of https://a.example/15')).toEqual([key('a', 2), key('a', 3)]);
      expect(await listedOn('first-list', key('a', 3))).toEqual([]);
      expect(await listedOn('second-list')).toEqual([key('a', 1), key('b', 1), key('b', 2)]);
      expect(await listedOn('no-list')).toEqual([]);
    });

    it('takes more than a batch at once, and counts hosts and URLs', async () => {
      const rows = Array.from({ length: 1_201 }, (_, n) => listed(`https://h${n % 7}.example/${n}`));
      await list(work, 'run', [...rows, ...rows]);
      expect(await work.progress('run')).toEqual({ hosts: 7, hostsLeft: 7, urls: 1_201, urlsLeft: 1_201 });
      expect(await work.left('run', 'h0.example', null, 999)).toHaveLength(172);
    });

    it('counts a URL once, however many list it at the same moment', async () => {
      const works = [work, ...(await Promise.all([place.open(), place.open()])).map((one) => one.crawlWork)];
      const rows = [...urlsOf('a', 30), ...urlsOf('b', 20)];
      await Promise.all(
        works.flatMap((one, index) => [
          list(one, 'run', index === 1 ? rows.toReversed() : rows),
          list(one, 'run', rows.slice(index * 5, index * 5 + 30)),
        ]),
      );
      expect(await work.seal('run')).toEqual({ hosts: 2, hostsLeft: 2, urls: 50, urlsLeft: 50 });
      expect(await work.take('run', 'me', 9, LONG_MS)).toEqual([
        { host: 'a.example', left: 30 },
        { host: 'b.example', left: 20 },
      ]);
    });

    it('is sealed once and for all: nothing is listed afterwards', async () => {
      await list(work, 'run', urlsOf('a', 2));
      const progress = { hosts: 1, hostsLeft: 1, urls: 2, urlsLeft: 2 };
      expect(await work.seal('run')).toEqual(progress);
      expect(await work.seal('run')).toEqual(progress);
      const more = list(work, 'run', [...urlsOf('a', 1, { method: 'POST' }), ...urlsOf('b', 1)]);
      await expect(more).rejects.toThrow('crawl run run is sealed: nothing can be listed any more');
      expect(await work.progress('run')).toEqual(progress);
      expect((await work.left('run', 'a.example', null, 9)).map(({ endpoint }) => endpoint.method)).toEqual([
        'GET',
        'GET',
      ]);
    });

    it('is sealed without a URL too', async () => {
      expect(await work.seal('run')).toEqual(NOTHING);
      await expect(list(work, 'run', urlsOf('a', 1))).rejects.toThrow('crawl run run is sealed');
    });

    it('has every batch that came before the seal and none that came after', async () => {
      const other = (await place.open()).crawlWork;
      for (let round = 0; round < sized(10, 20); round += 1) {
        const runId = `run-${round}`;
        const batches = Array.from({ length: 6 }, (_, n) => urlsOf(`h${n}`, 3));
        const listing = batches.map((batch, n) => list(n % 2 === 0 ? work : other, runId, batch));
        const outcomes = Promise.allSettled(listing);
        await Promise.allSettled(listing.slice(0, round % 5));
        const { urls } = await work.seal(runId);
        const kept = (await outcomes).filter(({ status }) => status === 'fulfilled');
        expect(urls).toBe(3 * kept.length);
        expect((await work.progress(runId)).urls).toBe(urls);
      }
    });

    it('refuses URLs without their keys', async () => {
      const more = work.list('run', urlsOf('a', 2), ['key'], RANK);
      await expect(more).rejects.toThrow('every listed URL needs its key');
      expect(await rowsOf('run')).toEqual([0, 0, 0, 0]);
    });

    it('is forgotten in steps, hosts first, and leaves receipts and other runs alone', async () => {
      await unpublished(store.runs, 'run', []);
      await sealedRun(work, 'run', { a: 3, b: 1 });
      await sealedRun(work, 'other', { a: 2 });
      const [taken] = await work.take('run', 'me', 1, LONG_MS);
      const hold = { runId: 'run', host: taken?.host ?? '', owner: 'me' };
      await done(work, hold, [receiptOf(URL, 1)], LONG_MS);

      expect(await work.forget('run', 3)).toBe(3);
      expect(await rowsOf('run')).toEqual([1, 0, 4, 3]);
      expect(await work.take('run', 'you', 9, LONG_MS)).toEqual([]);
      expect(await work.renew(hold, LONG_MS)).toBe(false);
      expect(await work.forget('run', 6)).toBe(6);
      expect(await rowsOf('run')).toEqual([1, 0, 1, 0]);
      expect(await work.forget('run', 6)).toBe(1);
      expect(await work.forget('run', 6)).toBe(0);
      expect(await rowsOf('run')).toEqual([0, 0, 0, 0]);
      expect(await store.runs.rows('run', null, 9)).toHaveLength(1);
      expect(await rowsOf('other')).toEqual([1, 1, 2, 2]);

      await list(work, 'run', urlsOf('a', 1));
      expect(await urlsLeft(work, 'run', 'a.example')).toEqual([URL]);
    });

    it('is forgotten in one step when there is room, also unsealed', async () => {
      await list(work, 'run', [...urlsOf('a', 2), ...urlsOf('a', 2, { list: 'second-list' })]);
      expect(await work.forget('run', 100)).toBe(7);
      expect(await rowsOf('run')).toEqual([0, 0, 0, 0]);
    });
  });
}
