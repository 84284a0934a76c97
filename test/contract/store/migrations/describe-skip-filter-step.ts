import { describe, expect, it } from 'vitest';
import { HISTORY } from '../../../../src/adapters/store/migrations/history.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import { EVERY_SKIP, type SkipFilter } from '../../../../src/core/receipt/skip-filter.ts';
import { BASE } from '../../../../tools/samples/challenge.ts';
import { crawlId, crawlRow } from '../../../../tools/samples/crawl-rows.ts';
import type { NewPlace } from '../../../support/storing/stores.ts';

/** The migration that added the columns which skips are filtered by. `newPlace` makes places without tables. */
export function describeSkipFilterStep(name: string, newPlace: NewPlace): void {
  describe(`the step to filtered skips on ${name}`, () => {
    it('fills in the rows of older releases, and their runs stay readable', async () => {
      const place = await newPlace();
      const connected = await place.connect();
      await migrate(connected, HISTORY.slice(0, 5));
      await connected.database.destroy();
      const { receipt: first } = crawlRow(1, {
        url: 'https://a.example/Weather',
        claimedPrice: microUsd(10n),
        quotedPrice: microUsd(20n),
      });
      const receipt = { ...first, claimedPrice: '10', quotedPrice: '20' };
      const summary = {
        endpointsCovered: 1,
        newThisWeek: 1,
        verdicts: { pay: 0, skip: 1, recheck: 0 },
        lists: [['first-list', 1]],
        listedIn: [['first-list', 1]],
        featuredId: null,
        skipPages: 1,
        receiptPages: 1,
      };
      const run = {
        id: 'old',
        crawledAt: '2026-11-08T12:00:00.000Z',
        previousRun: null,
        summary,
        sources: [],
      };
      await place.ask(`insert into crawl_runs (id, started_at, crawled_at, body)
        values ('old', 1, 2, '${JSON.stringify(run)}')`);
      for (const n of [1, 2]) {
        await place.ask(`insert into crawl_receipts (id, run_id, url_key, url, verdict, body)
          values ('${crawlId(n)}', 'old', 'key-${n}', '${first.url}', 'skip', '${JSON.stringify(receipt)}')`);
      }
      const { runs } = await place.open();
      expect((await runs.latest())?.summary).toMatchObject({ skipPages: 1, facets: null });
      for (const [facet, value] of [
        ['reason', 'price_mismatch'],
        ['list', 'first-list'],
        ['network', BASE],
        ['host', 'a.example'],
      ] as const) {
        const filter = { ...EVERY_SKIP, [facet]: value };
        expect(await runs.countSkips('old', { filter, lead: facet }), facet).toMatchObject({ matches: 2 });
      }
      const widest: SkipFilter = { ...EVERY_SKIP, sort: 'price_gap' };
      expect(await runs.countSkips('old', { filter: widest, lead: null })).toMatchObject({ matches: 2 });
      await place.remove();
    });

    it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
      [
        'a host in lower case, without user and port',
        { url: 'https://me@A.example:8443?x' },
        { host: 'a.example' },
      ],
      [
        'the listed network when no other was seen',
        { network: null, listedNetwork: 'eip155:1' },
        { network: 'eip155:1' },
      ],
      ['no network', { network: null, listedNetwork: null }, { network: null }],
      ['no name that is too long for an index', { sourceList: 'x'.repeat(256) }, { source_list: '' }],
      ['the gap to a higher price', { claimedPrice: '10', quotedPrice: '25' }, { gap_rank: '-15' }],
      ['the gap to a lower price', { claimedPrice: '25', quotedPrice: '10' }, { gap_rank: '-15' }],
      [
        'the widest gap of a number',
        { quotedPrice: `1${'0'.repeat(30)}` },
        { gap_rank: '-9007199254740991' },
      ],
      ['no gap without both prices', { claimedPrice: null }, { gap_rank: null }],
      ['no gap for another reason', { code: 'wallet_mismatch' }, { code: 'wallet_mismatch', gap_rank: null }],
    ])('fills in %s', async (_, changes, columns) => {
      const place = await newPlace();
      const connected = await place.connect();
      await migrate(connected, HISTORY.slice(0, 5));
      const { receipt } = crawlRow(1, {});
      const body = { ...receipt, claimedPrice: '10', quotedPrice: '20', ...changes };
      await place.ask("insert into crawl_runs (id, started_at, crawled_at, body) values ('old', 1, 2, '{}')");
      await place.ask(`insert into crawl_receipts (id, run_id, url_key, url, verdict, body)
        values ('1', 'old', 'key', 'url', 'skip', '${JSON.stringify(body)}')`);
      await migrate(connected, HISTORY.slice(0, 6));
      await connected.database.destroy();
      const filled =
        await place.ask(`select code, source_list, network, host, cast(gap_rank as text) as gap_rank
        from crawl_receipts`);
      expect(filled).toEqual([expect.objectContaining(columns)]);
      await place.remove();
    });
  });
}
