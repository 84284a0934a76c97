import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CrawlRow, CrawlRunStore } from '../../../../src/ports/crawl-runs.ts';
import {
  aRun,
  crawlId,
  crawlRow,
  everythingOf,
  NO_PAGES,
  published,
  unpublished,
} from '../../../../tools/samples/crawl-rows.ts';
import { NOON } from '../../../../tools/samples/store-receipts.ts';
import { sized } from '../../../support/sized.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

/** What every store of crawl runs promises. */
export function describeCrawlRuns(name: string, newPlace: NewPlace): void {
  describe(`crawl runs on ${name}`, () => {
    let place: Place;
    let runs: CrawlRunStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ runs } = await place.open());
    });
    afterEach(() => place.remove());

    const numbers = (list: readonly { readonly id: string }[]) =>
      list.map(({ id }) => Number.parseInt(id, 16));
    const rowNumbers = async (runId: string) =>
      numbers((await runs.rows(runId, null, 1_000)).map(({ receipt }) => receipt));
    it('reads rows strictly after a position, also one that is no row, and no more than asked', async () => {
      await unpublished(
        runs,
        'run',
        [1, 2, 3, 4].map((n) => crawlRow(n)),
      );
      const numbersAfter = async (url: string, id: string, limit: number) =>
        numbers((await runs.rows('run', { url, id }, limit)).map(({ receipt }) => receipt));
      expect(await numbersAfter('https://a.example/000002', crawlId(2), 9)).toEqual([3, 4]);
      expect(await numbersAfter('https://a.example/000002', crawlId(2), 1)).toEqual([3]);
      expect(await numbersAfter('https://a.example/000002', crawlId(1), 9)).toEqual([2, 3, 4]);
      expect(await numbersAfter('https://a.example/0000025', crawlId(0), 9)).toEqual([3, 4]);
      expect(await numbersAfter('https://b.example/', crawlId(0), 9)).toEqual([]);
      expect(await runs.rows('another', null, 9)).toEqual([]);
    });

    it('calls new what the latest published run lacks (G73)', async () => {
      const newIn = async (runId: string) =>
        (await runs.rows(runId, null, 9)).map(({ receipt, isNew }) => [receipt.id.slice(-2), isNew]);
      const again = (n: number, key: number) => ({ ...crawlRow(n), urlKey: `key-${key}` });
      await unpublished(runs, 'first', [crawlRow(1), crawlRow(2)]);
      expect(await newIn('first')).toEqual([
        ['01', true],
        ['02', true],
      ]);
      await runs.publish(aRun('first', 1), NO_PAGES);
      await published(runs, 'second', [again(17, 1)], 2);
      await unpublished(runs, 'third', [again(32, 1), again(33, 2), again(34, 3)]);
      // Key 2 was in the first run, and is back; another unpublished run counts for nothing.
      await unpublished(runs, 'fourth', [again(50, 3)]);
      expect(await newIn('third')).toEqual([
        ['20', false],
        ['21', true],
        ['22', true],
      ]);
    });

    it('knows which URLs the latest published run skipped', async () => {
      const pay = { verdict: 'pay', code: 'price_ok' } as const;
      await published(runs, 'first', [crawlRow(1, pay), crawlRow(2), crawlRow(3)], 1);
      const second = [crawlRow(4), crawlRow(5, pay)].map((row, n) => ({ ...row, urlKey: `key-${n + 1}` }));
      await published(runs, 'second', second, 2);
      const again = [7, 8, 9].map((n) => ({ ...crawlRow(n), urlKey: `key-${n - 6}` }));
      await unpublished(runs, 'third', again);
      const rows = await runs.rows('third', null, 9);
      expect(rows.map(({ isNew, wasSkip }) => [isNew, wasSkip])).toEqual([
        [false, true],
        [false, false],
        // It was a skip two runs ago, and is new again.
        [true, false],
      ]);
    });

    it('knows which URLs have answered in the latest published run', async () => {
      const codes = ['price_ok', 'server_error', 'timeout', 'name_not_found', 'path_template'] as const;
      const rows = codes.map((code, n) => crawlRow(n + 1, { code }));
      await published(runs, 'first', rows, 1);
      const again = [...codes, 'new'].map((_, n) => ({ ...crawlRow(n + 11), urlKey: `key-${n + 1}` }));
      await unpublished(runs, 'second', again);
      const wasHeard = (await runs.rows('second', null, 9)).map((row) => row.wasHeard);
      expect(wasHeard).toEqual([true, true, false, false, false, false]);
    });

    it('replaces the row of a URL that the run already has, whatever its id', async () => {
      await unpublished(runs, 'run', [crawlRow(1, { reason: 'first' }), crawlRow(2)]);
      expect(await runs.add('run', [crawlRow(1, { reason: 'second' })])).toEqual([]);
      expect(await runs.add('run', [{ ...crawlRow(9), urlKey: 'key-2' }])).toEqual([]);
      // Within one call as well, and the id that was given up is free again.
      expect(await runs.add('run', [crawlRow(3), { ...crawlRow(4), urlKey: 'key-3' }])).toEqual([]);
      expect(await runs.add('run', [{ ...crawlRow(2), urlKey: 'key-5' }])).toEqual([]);
      expect(await rowNumbers('run')).toEqual([1, 2, 4, 9]);
      await runs.publish(aRun('run'), NO_PAGES);
      expect(await runs.byId(crawlId(1))).toMatchObject({ reason: 'second' });
      expect(await runs.inLatestRun('key-2')).toMatchObject({ id: crawlId(9) });
      expect(await runs.byId(crawlId(3))).toBeNull();
    });

    it('gives back a row whose id belongs to another receipt, and keeps what the URL had (G54)', async () => {
      const clash = (id: number, key: number): CrawlRow => ({ ...crawlRow(id), urlKey: `key-${key}` });
      await published(runs, 'old', [crawlRow(1)]);
      await unpublished(runs, 'other', [crawlRow(2)]);
      await unpublished(runs, 'run', [crawlRow(3), crawlRow(4)]);
      const clashes = [clash(1, 1), clash(2, 2), clash(3, 4)];
      expect(await runs.add('run', [...clashes, crawlRow(5), clash(5, 6)])).toEqual([
        ...clashes,
        clash(5, 6),
      ]);
      expect(await rowNumbers('run')).toEqual([3, 4, 5]);
      expect(await runs.byId(crawlId(1))).toEqual(crawlRow(1).receipt);
    });

    it('gives an id to one of two runs that want it at the same moment', async () => {
      for (const runId of ['a', 'b']) await runs.begin(runId, NOON);
      const rows = Array.from({ length: 50 }, (_, index) => crawlRow(index + 1));
      const refused = await Promise.all([
        runs.add('a', rows),
        runs.add('b', rows.toReversed()),
        runs.add('a', rows.toReversed()),
        runs.add('b', rows),
      ]);
      const kept = [await rowNumbers('a'), await rowNumbers('b')];
      expect(kept.flat().sort((left, right) => left - right)).toEqual(rows.map((_, index) => index + 1));
      expect(refused.flat()).toHaveLength(100);
    });

    it('begins again after a crash without losing a row', async () => {
      await unpublished(runs, 'run', [crawlRow(1)]);
      await runs.begin('run', new Date(0));
      expect(await rowNumbers('run')).toEqual([1]);
    });

    it.each<[string, (store: CrawlRunStore) => Promise<unknown>, string]>([
      [
        'rows for a run nobody began',
        (store) => store.add('new', [crawlRow(9)]),
        'crawl run new was never begun',
      ],
      ['rows for a published run', (store) => store.add('run', [crawlRow(9)]), 'crawl run run is published'],
      [
        'publishing a run nobody began',
        (store) => store.publish(aRun('new'), NO_PAGES),
        'crawl run new was never begun',
      ],
      [
        'publishing a run twice',
        (store) => store.publish(aRun('run', 5), NO_PAGES),
        'crawl run run is published',
      ],
      ['discarding a published run', (store) => store.discard('run', 9), 'crawl run run is published'],
    ])('refuses %s', async (_, act, message) => {
      await published(runs, 'run', [crawlRow(1)]);
      const before = await everythingOf(runs, 'run');
      await expect(act(runs)).rejects.toThrow(message);
      expect(await everythingOf(runs, 'run')).toEqual(before);
    });

    it('adds no row to a run that is being published', async () => {
      for (let round = 0; round < sized(10, 20); round += 1) {
        const [runId, first] = [`run-${round}`, round * 1_000];
        const rowsOf = (n: number) =>
          Array.from({ length: 20 }, (_, index) => crawlRow(first + n * 20 + index));
        await unpublished(runs, runId, rowsOf(0));
        // The publication begins when so many batches are in, and the next is on its way.
        const adding = [];
        for (let n = 1; n <= 6; n += 1) adding.push(runs.add(runId, rowsOf(n)));
        const outcomes = Promise.allSettled(adding);
        await Promise.allSettled(adding.slice(0, round % 5));
        await runs.publish(aRun(runId, round), NO_PAGES);
        const seen = await runs.page(runId, 'all', 1);
        const added = (await outcomes).filter(({ status }) => status === 'fulfilled');
        expect(seen).toHaveLength(20 * (added.length + 1));
        expect(await runs.page(runId, 'all', 1)).toEqual(seen);
      }
    });

    it('discards a run that was never published, in steps, and then the run itself', async () => {
      await published(runs, 'kept', [crawlRow(9)]);
      await unpublished(
        runs,
        'run',
        [1, 2, 3, 4, 5].map((n) => crawlRow(n)),
      );
      expect(await runs.discard('run', 3)).toBe(3);
      expect(await runs.add('run', [crawlRow(6)])).toEqual([]);
      expect(await runs.discard('run', 3)).toBe(3);
      await expect(runs.add('run', [])).rejects.toThrow('crawl run run was never begun');
      expect(await runs.discard('run', 3)).toBe(0);
      expect(await place.ask('select id from crawl_runs')).toEqual([{ id: 'kept' }]);
      expect(await place.ask('select id from crawl_receipts')).toEqual([{ id: crawlId(9) }]);
    });
  });
}
