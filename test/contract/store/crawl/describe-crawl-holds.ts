import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import type { CrawlWork, HostHold } from '../../../../src/ports/crawl-work.ts';
import { NOON } from '../../../../tools/samples/store-receipts.ts';
import {
  done,
  holdOf,
  LONG_MS,
  list,
  receiptOf,
  sealedRun,
  urlsLeft,
  urlsOf,
} from '../../../support/crawling/crawl-work.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const url = (n: number, host = 'a') => `https://${host}.example/${n}`;

/** What every store of crawl work promises about who works on a host. */
export function describeCrawlHolds(name: string, newPlace: NewPlace): void {
  describe(`hosts of a crawl on ${name}`, () => {
    let place: Place;
    let store: Store;
    let work: CrawlWork;

    beforeEach(async () => {
      place = await newPlace();
      store = await place.open();
      work = store.crawlWork;
      await store.runs.begin('run', NOON);
    });
    afterEach(() => place.remove());

    const receipts = async (runId = 'run') =>
      (await store.runs.rows(runId, null, 1_000)).map(({ receipt }) => [receipt.url, receipt.id]);
    const taken = async (owner: string, leaseMs = LONG_MS, limit = 9) =>
      (await work.take('run', owner, limit, leaseMs)).map(({ host }) => host);

    it('are taken by one, those with most URLs first and then by name, and no more than asked', async () => {
      await sealedRun(work, 'run', { c: 2, b: 1, a: 1, d: 3 });
      await sealedRun(work, 'other', { e: 9 });
      expect(await work.take('run', 'me', 3, LONG_MS)).toEqual([
        { host: 'd.example', left: 3 },
        { host: 'c.example', left: 2 },
        { host: 'a.example', left: 1 },
      ]);
      expect(await work.take('run', 'you', 3, LONG_MS)).toEqual([{ host: 'b.example', left: 1 }]);
      expect(await work.take('run', 'me', 3, LONG_MS)).toEqual([]);
    });

    it('are taken only once all URLs are there', async () => {
      await list(work, 'run', urlsOf('a', 1));
      expect(await taken('me')).toEqual([]);
      await work.seal('run');
      expect(await taken('me')).toEqual(['a.example']);
    });

    it('come in the order of what is left, and not at all when nothing is', async () => {
      await sealedRun(work, 'run', { a: 4, b: 3, c: 1 });
      await taken('me');
      await done(work, holdOf('me'), [receiptOf(url(1), 1), receiptOf(url(2), 2)], LONG_MS);
      await done(work, holdOf('me', 'c.example'), [receiptOf(url(1, 'c'), 3)], LONG_MS);
      for (const host of ['a.example', 'b.example', 'c.example']) await work.release(holdOf('me', host));
      expect(await work.take('run', 'you', 9, LONG_MS)).toEqual([
        { host: 'b.example', left: 3 },
        { host: 'a.example', left: 2 },
      ]);
      expect(await work.progress('run')).toEqual({ hosts: 3, hostsLeft: 2, urls: 8, urlsLeft: 5 });
    });

    it('tell what is left of them in a stable order, no more than asked', async () => {
      await sealedRun(work, 'run', { a: 4, b: 1 });
      await taken('me');
      await done(work, holdOf('me'), [receiptOf(url(2), 1)], LONG_MS);
      expect(await urlsLeft(work, 'run', 'a.example')).toEqual([url(1), url(3), url(4)]);
      const [first] = await work.left('run', 'a.example', null, 1);
      expect(
        (await work.left('run', 'a.example', first?.urlKey ?? '', 9)).map(
          ({ endpoint }) => endpoint.target.href,
        ),
      ).toEqual([url(3), url(4)]);
      expect(
        (await work.left('run', 'a.example', null, 2)).map(({ endpoint }) => endpoint.target.href),
      ).toEqual([url(1), url(3)]);
    });

    it.each<[string, (hold: HostHold) => Promise<unknown>]>([
      ['done', (hold) => done(work, hold, [receiptOf(url(1), 1)], LONG_MS)],
      ['renew', (hold) => work.renew(hold, LONG_MS)],
    ])(
      'are no longer their owner’s once somebody took over: %s says so and changes nothing',
      async (_, act) => {
        await sealedRun(work, 'run', { a: 2 });
        expect(await taken('dead', 0)).toEqual(['a.example']);
        // Not longer than the first time: had the dead one held it for longer, the third could not take it.
        expect(await taken('second', 0)).toEqual(['a.example']);
        expect(await act(holdOf('dead'))).toBe(false);
        await work.release(holdOf('dead'));
        expect(await receipts()).toEqual([]);
        expect((await work.progress('run')).urlsLeft).toBe(2);
        expect(await work.renew(holdOf('second'), 0)).toBe(true);
        expect(await taken('third')).toEqual(['a.example']);
        expect(await work.renew(holdOf('second'), LONG_MS)).toBe(false);
      },
    );

    it.each<[string, (hold: HostHold) => Promise<unknown>]>([
      ['done', (hold) => done(work, hold, [receiptOf(url(1), 1)], LONG_MS)],
      ['nothing done', (hold) => done(work, hold, [], LONG_MS)],
      ['renew', (hold) => work.renew(hold, LONG_MS)],
    ])(
      'stay their owner’s when the time is over and nobody came, and are held for longer by %s',
      async (_, act) => {
        await sealedRun(work, 'run', { a: 2 });
        await taken('me', 0);
        expect(await act(holdOf('me'))).not.toBe(false);
        expect(await taken('you')).toEqual([]);
      },
    );

    it('can be taken at once when their owner lets go, and are then no longer held', async () => {
      await sealedRun(work, 'run', { a: 2 });
      await taken('me');
      await work.release(holdOf('me'));
      expect(await work.renew(holdOf('me'), LONG_MS)).toBe(false);
      expect(await done(work, holdOf('me'), [receiptOf(url(1), 1)], LONG_MS)).toBe(false);
      expect(await taken('you')).toEqual(['a.example']);
      await work.release(holdOf('me'));
      expect(await taken('third')).toEqual([]);
    });

    it('are held by the clock of the database, whatever that of the process says', async () => {
      await sealedRun(work, 'run', { a: 1 });
      const now = Date.now();
      try {
        vi.useFakeTimers({ toFake: ['Date'], now: now - 10 * LONG_MS });
        await taken('slow');
        vi.setSystemTime(now + 10 * LONG_MS);
        expect(await taken('fast')).toEqual([]);
      } finally {
        vi.useRealTimers();
      }
      const [row] = await place.ask('select lease_until from crawl_hosts');
      expect(Number(row?.['lease_until'])).toBeGreaterThanOrEqual(now + LONG_MS - 10_000);
      expect(Number(row?.['lease_until'])).toBeLessThanOrEqual(Date.now() + LONG_MS + 10_000);
    });
  });
}
