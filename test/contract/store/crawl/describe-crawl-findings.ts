import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/adapters/store/store.ts';
import type { CrawlRow } from '../../../../src/ports/crawl-runs.ts';
import type { CrawlWork } from '../../../../src/ports/crawl-work.ts';
import { aRun, crawlId, NO_PAGES, published } from '../../../../tools/samples/crawl-rows.ts';
import { NOON } from '../../../../tools/samples/store-receipts.ts';
import {
  done,
  holdOf,
  LONG_MS,
  receiptOf,
  sealedRun,
  urlsLeft,
} from '../../../support/crawling/crawl-work.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const url = (n: number, host = 'a') => `https://${host}.example/${n}`;

/** What every store of crawl work promises about the receipts of a host. */
export function describeCrawlFindings(name: string, newPlace: NewPlace): void {
  describe(`findings of a crawl on ${name}`, () => {
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

    it('keep the receipts of what is done, and count it once when it is done again', async () => {
      await sealedRun(work, 'run', { a: 3 });
      await taken('me');
      expect(await done(work, holdOf('me'), [receiptOf(url(1), 1), receiptOf(url(2), 2)], LONG_MS)).toEqual(
        [],
      );
      expect(await done(work, holdOf('me'), [receiptOf(url(1), 1), receiptOf(url(2), 9)], LONG_MS)).toEqual(
        [],
      );
      expect(await receipts()).toEqual([
        [url(1), crawlId(1)],
        [url(2), crawlId(9)],
      ]);
      expect(await work.progress('run')).toEqual({ hosts: 1, hostsLeft: 1, urls: 3, urlsLeft: 1 });
    });

    it('take more receipts at once than a statement does', async () => {
      await sealedRun(work, 'run', { a: 450 });
      await taken('me');
      const rows = Array.from({ length: 450 }, (_, n) => receiptOf(url(n + 1), n + 1));
      expect(await done(work, holdOf('me'), rows, LONG_MS)).toEqual([]);
      expect(await receipts()).toHaveLength(450);
      expect(await work.progress('run')).toEqual({ hosts: 1, hostsLeft: 0, urls: 450, urlsLeft: 0 });
    });

    it('are done together, and each gets its own answer', async () => {
      await published(store.runs, 'old', [receiptOf(url(7), 7)]);
      await sealedRun(work, 'run', { a: 3, b: 2, c: 1, d: 1 });
      await taken('me', 0, 4);
      await work.renew(holdOf('me', 'a.example'), LONG_MS);
      await work.renew(holdOf('me', 'b.example'), LONG_MS);
      await work.renew(holdOf('me', 'd.example'), LONG_MS);
      expect(await taken('you')).toEqual(['c.example']);
      const clash = receiptOf(url(2, 'b'), 7);
      const findings = [
        { host: 'b.example', rows: [receiptOf(url(1, 'b'), 1), clash] },
        { host: 'c.example', rows: [receiptOf(url(1, 'c'), 2)] },
        { host: 'a.example', rows: [receiptOf(url(1), 3), receiptOf(url(2), 4)] },
        { host: 'd.example', rows: [] },
      ];
      expect(await work.done({ runId: 'run', owner: 'me' }, findings, 0)).toEqual([[clash], false, [], []]);
      expect((await receipts()).map(([found]) => found)).toEqual([url(1), url(2), url(1, 'b')]);
      // The holds were set anew, for all but the one that is somebody else's.
      expect(await work.take('run', 'third', 9, LONG_MS)).toEqual([
        { host: 'a.example', left: 1 },
        { host: 'b.example', left: 1 },
        { host: 'd.example', left: 1 },
      ]);
    });

    it('are done together or not at all', async () => {
      await sealedRun(work, 'run', { a: 1, b: 1 });
      await taken('me');
      const findings = [
        { host: 'a.example', rows: [receiptOf(url(1), 1)] },
        { host: 'b.example', rows: [receiptOf(url(9, 'b'), 2)] },
      ];
      const doing = work.done({ runId: 'run', owner: 'me' }, findings, LONG_MS);
      await expect(doing).rejects.toThrow('crawl run run lists no such URL of b.example');
      expect([await receipts(), (await work.progress('run')).urlsLeft]).toEqual([[], 2]);
    });

    it('give back a receipt whose id is taken, and its URL is not done (G54)', async () => {
      await published(store.runs, 'old', [receiptOf(url(7), 7)]);
      await sealedRun(work, 'run', { a: 3 });
      await taken('me');
      const clash = receiptOf(url(2), 7);
      expect(await done(work, holdOf('me'), [receiptOf(url(1), 1), clash], LONG_MS)).toEqual([clash]);
      expect(await urlsLeft(work, 'run', 'a.example')).toEqual([url(2), url(3)]);
      expect(await done(work, holdOf('me'), [receiptOf(url(2), 2)], LONG_MS)).toEqual([]);
      expect((await work.progress('run')).urlsLeft).toBe(1);
    });

    it.each<[string, CrawlRow[], string]>([
      ['a URL that nobody listed', [receiptOf(url(9), 2)], 'crawl run run lists no such URL of a.example'],
      ['a URL of another host', [receiptOf(url(1, 'b'), 2)], 'crawl run run lists no such URL of a.example'],
    ])('keep nothing when something is wrong: %s', async (_, wrong, message) => {
      await sealedRun(work, 'run', { a: 2, b: 1 });
      await taken('me');
      const doing = done(work, holdOf('me'), [receiptOf(url(1), 1), ...wrong], LONG_MS);
      await expect(doing).rejects.toThrow(message);
      expect(await receipts()).toEqual([]);
      expect((await work.progress('run')).urlsLeft).toBe(3);
    });

    it.each<[string, string, (runId: string) => Promise<void>]>([
      [
        'published',
        'crawl run late is published',
        async (runId) => {
          await store.runs.begin(runId, NOON);
          await store.runs.publish(aRun(runId), NO_PAGES);
        },
      ],
      ['never begun', 'crawl run late was never begun', async () => {}],
    ])('take no receipt for a run that is %s', async (_, message, prepare) => {
      await sealedRun(work, 'late', { a: 1 });
      await work.take('late', 'me', 1, LONG_MS);
      await prepare('late');
      const doing = done(work, holdOf('me', 'a.example', 'late'), [receiptOf(url(1), 1)], LONG_MS);
      await expect(doing).rejects.toThrow(message);
      expect((await work.progress('late')).urlsLeft).toBe(1);
    });
  });
}
