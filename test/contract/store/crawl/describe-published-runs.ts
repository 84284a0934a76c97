import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CrawlListing } from '../../../../src/core/receipt/crawl-run.ts';
import { statementOfCrawl } from '../../../../src/core/statement/stated-crawl.ts';
import type { CrawlRunStore } from '../../../../src/ports/crawl-runs.ts';
import {
  aRun,
  crawlId,
  crawlRow,
  everythingOf,
  NO_PAGES,
  pageStartsOf,
  published,
  statedRow,
  unpublished,
} from '../../../../tools/samples/crawl-rows.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What everybody sees of crawl runs, on every store of them. */
export function describePublishedRuns(name: string, newPlace: NewPlace): void {
  describe(`published runs on ${name}`, () => {
    let place: Place;
    let runs: CrawlRunStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ runs } = await place.open());
    });
    afterEach(() => place.remove());

    const numbers = (list: readonly { readonly id: string }[]) =>
      list.map(({ id }) => Number.parseInt(id, 16));

    it('shows nothing of a run before it is published, then all of it, exactly as it was stored (G70)', async () => {
      const { urlKey, receipt } = crawlRow(1);
      const bare = crawlRow(2, {
        claimedPrice: null,
        quotedPrice: null,
        payTo: null,
        verdict: 'recheck',
        code: 'timeout',
        httpStatus: null,
        network: null,
        listedNetwork: null,
        listedPayTo: null,
      });
      await unpublished(runs, 'run', [{ urlKey, receipt }, bare]);
      expect(await everythingOf(runs, 'run')).toEqual([null, [], [], null, null, []]);
      await runs.publish(aRun('run'), NO_PAGES);
      const all = [receipt, bare.receipt];
      expect(await everythingOf(runs, 'run')).toEqual([
        aRun('run'),
        all,
        [receipt],
        receipt,
        receipt,
        [receipt],
      ]);
    });

    it('gives back the bytes of a statement once its run is published, and keeps beside it what is not public', async () => {
      const { urlKey, receipt } = statedRow(1);
      const older = crawlRow(2);
      await unpublished(runs, 'run', [{ urlKey, receipt }, older]);
      expect(await runs.statement(receipt.id)).toBeNull();
      await runs.publish(aRun('run'), NO_PAGES);
      const text = (await runs.statement(receipt.id)) ?? '';
      expect(text).toBe(statementOfCrawl(receipt));
      expect(text).not.toContain('a-secret-example');
      expect(await runs.statement(older.receipt.id)).toBeNull();
      expect(await runs.statement(crawlId(9))).toBeNull();
      expect(await everythingOf(runs, 'run')).toEqual([
        aRun('run'),
        [receipt, older.receipt],
        [receipt, older.receipt],
        receipt,
        receipt,
        [receipt],
      ]);
    });

    it('has the pages of both listings, without a gap or a repeat, and nothing beyond (G57)', async () => {
      // 1,203 rows, of which every sixth is to be paid: 1,003 remain to skip.
      const rows = Array.from({ length: 1_203 }, (_, index) =>
        crawlRow(index + 1, index % 6 === 0 ? { verdict: 'pay', code: 'price_ok' } : {}),
      );
      await unpublished(runs, 'run', rows.toReversed());
      await runs.publish(aRun('run'), await pageStartsOf(runs, 'run'));
      const pagesOf = (listing: CrawlListing) =>
        Promise.all([1, 2, 3, 4].map((page) => runs.page('run', listing, page)));
      const [all, skip] = [await pagesOf('all'), await pagesOf('skip')];
      expect(all.map(({ length }) => length)).toEqual([500, 500, 203, 0]);
      expect(all.flat()).toEqual(rows.map(({ receipt }) => receipt));
      expect(skip.map(({ length }) => length)).toEqual([500, 500, 2, 0]);
      expect(numbers(skip.flat())).toEqual(numbers(all.flat()).filter((n) => n % 6 !== 1));
      // Each row knows its page: the ends of all pages, and what is no skip.
      const ends = skip.flatMap((page) => [page.at(0), page.at(-1)]).flatMap((row) => row?.id ?? []);
      expect(await Promise.all(ends.map((id) => runs.skipPage(id)))).toEqual([1, 1, 2, 2, 3, 3]);
      expect(await runs.skipPage(crawlId(1))).toBeNull();
    });

    it('knows the page of a skip in the latest run only (G104)', async () => {
      await published(runs, 'first', [crawlRow(1)], 1);
      expect(await runs.skipPage(crawlId(1))).toBe(1);
      await published(runs, 'second', [crawlRow(2)], 2);
      await unpublished(runs, 'third', [crawlRow(3)]);
      const pages = [1, 2, 3, 4].map((n) => runs.skipPage(crawlId(n)));
      expect(await Promise.all(pages)).toEqual([null, 1, null, null]);
    });

    it('takes the run that was published last for the latest, whatever a wrong clock has dated before', async () => {
      await published(runs, 'first', [crawlRow(1)], 1);
      await published(runs, 'ahead', [crawlRow(2)], 30_000_000);
      await published(runs, 'right', [crawlRow(3)], 9);
      expect((await runs.recent(9)).map(({ id }) => id)).toEqual(['right', 'ahead', 'first']);
      expect((await runs.latest())?.crawledAt).toEqual(aRun('right', 9).crawledAt);
      expect((await runs.recent(2))[1]?.crawledAt).toEqual(aRun('ahead', 30_000_000).crawledAt);
    });

    it.each([0, -1, 1.5, Number.NaN, 2 ** 53])('has no page %d', async (page) => {
      await published(runs, 'run', [crawlRow(1)]);
      expect(await runs.page('run', 'all', page)).toEqual([]);
    });

    it('publishes rows by the bytes of their URLs, then by id', async () => {
      const urls = ['/a', '/B', '/a/b', '/a?b', '/%C3%A9', '/_', '/~', '/a', '/Z', '/a-b'];
      const rows = urls.map((path, index) => crawlRow(10 - index, { url: `https://a.example${path}` }));
      await published(runs, 'run', rows);
      const listed = (await runs.page('run', 'all', 1)).map(({ id, url }) => [url.slice(17), id.slice(-1)]);
      const sorted = [
        '/%C3%A9 6',
        '/B 9',
        '/Z 2',
        '/_ 5',
        '/a 3',
        '/a a',
        '/a-b 1',
        '/a/b 8',
        '/a?b 7',
        '/~ 4',
      ];
      expect(listed.map((row) => row.join(' '))).toEqual(sorted);
    });

    it('takes the run that was made last for the latest', async () => {
      await published(runs, 'second', [crawlRow(1)], 2);
      await published(runs, 'first', [crawlRow(2)], 1);
      expect(await runs.latest()).toEqual(aRun('second', 2));
      expect(await runs.inLatestRun('key-2')).toBeNull();
      expect(await runs.byId(crawlId(2))).toEqual(crawlRow(2).receipt);
    });

    it('has the newest published runs with their totals, newest first, and no more than asked for', async () => {
      expect(await runs.recent(9)).toEqual([]);
      for (const [index, runId] of ['c', 'a', 'd', 'b'].entries()) {
        await published(runs, runId, [crawlRow(index + 1)], index);
      }
      await unpublished(runs, 'e', [crawlRow(9)]);
      expect(await runs.recent(9)).toEqual([aRun('b', 3), aRun('d', 2), aRun('a', 1), aRun('c', 0)]);
      expect((await runs.recent(2)).map(({ id }) => id)).toEqual(['b', 'd']);
    });

    it('tells the history of a URL, newest run first', async () => {
      for (const [index, runId] of ['c', 'a', 'd', 'b'].entries()) {
        await published(
          runs,
          runId,
          [{ ...crawlRow(10 - index), urlKey: 'key' }, crawlRow(20 + index)],
          index,
        );
      }
      await unpublished(runs, 'e', [{ ...crawlRow(30), urlKey: 'key' }]);
      expect(numbers(await runs.latestOf('key', 9))).toEqual([7, 8, 9, 10]);
      expect(numbers(await runs.latestOf('key', 2))).toEqual([7, 8]);
      expect(await runs.latestOf('nowhere', 9)).toEqual([]);
    });
  });
}
