import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../../../src/core/receipt/crawl-receipt.ts';
import { EVERY_SKIP, type SkipFacet, type SkipFilter } from '../../../../src/core/receipt/skip-filter.ts';
import type { CrawlRow, CrawlRunStore, SkipPosition } from '../../../../src/ports/crawl-runs.ts';
import { BASE } from '../../../../tools/samples/challenge.ts';
import { crawlId, crawlRow, published, unpublished } from '../../../../tools/samples/crawl-rows.ts';
import { network } from '../../../../tools/samples/listed.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const noPaywall = { code: 'no_paywall', network: null, quotedPrice: null } as const;
const gap = (claimed: bigint, quoted: bigint) => ({
  claimedPrice: microUsd(claimed),
  quotedPrice: microUsd(quoted),
});

/** Nine rows of which eight are skips; ids and URLs rise together unless the row says otherwise. */
const ROWS: readonly CrawlRow[] = [
  crawlRow(1, { url: 'https://a.example/Weather', ...gap(10n, 20n) }),
  crawlRow(2, { url: 'https://a.example:8443/two', sourceList: 'other', ...gap(90n, 10n) }),
  crawlRow(3, { url: 'https://b.example/weather', ...noPaywall, listedNetwork: network(BASE) }),
  crawlRow(4, { url: 'https://b.example/x?q=100%25_off', ...noPaywall, listedNetwork: null }),
  crawlRow(5, { url: 'https://c.example/five', code: 'path_template', sourceList: 'other' }),
  crawlRow(6, { url: 'https://c.example/six', ...gap(0n, 2n ** 80n) }),
  crawlRow(7, { url: 'https://c.example/weather', verdict: 'pay', code: 'price_ok' }),
  crawlRow(8, {
    url: `https://${'d'.repeat(1_900)}.example/eight`,
    sourceList: 'x'.repeat(2_000),
    ...gap(1n, 81n),
  }),
  crawlRow(9, { url: 'https://e.example/nine', code: 'ssrf_blocked', network: network('solana') }),
];

/** Skips of a run by a filter, on every store of them. */
export function describeSkipViews(name: string, newPlace: NewPlace): void {
  describe(`filtered skips on ${name}`, () => {
    let place: Place;
    let runs: CrawlRunStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ runs } = await place.open());
    });
    afterEach(() => place.remove());

    const large = new Map<number, { readonly place: Place; readonly runs: CrawlRunStore }>();
    afterAll(async () => {
      for (const made of large.values()) await made.place.remove();
    });
    /** Thousands of skips, published once for all that only read them; each so-many-eth is on a list of its own. */
    const manyRows = async (step: number): Promise<CrawlRunStore> => {
      const known = large.get(step);
      if (known !== undefined) return known.runs;
      const made = await newPlace();
      const store = await made.open();
      large.set(step, { place: made, runs: store.runs });
      const rows = Array.from({ length: 6_002 }, (_row, n) =>
        crawlRow(n + 1, {
          ...gap(1n, BigInt(10_000 - n)),
          ...(step === 3 && n % 3 === 2 ? { sourceList: 'third' } : {}),
        }),
      );
      await published(store.runs, 'run', rows.toReversed());
      return store.runs;
    };

    const numbers = (list: readonly CrawlReceipt[]) => list.map(({ id }) => Number.parseInt(id, 16));
    const wantedBy = (changes: Partial<SkipFilter>, lead: SkipFacet | null = null) => ({
      filter: { ...EVERY_SKIP, ...changes },
      lead,
    });

    it.each<[string, Partial<SkipFilter>, SkipFacet | null, number[]]>([
      ['everything', {}, null, [1, 2, 3, 4, 5, 6, 8, 9]],
      ['a reason', { reason: 'no_paywall' }, 'reason', [3, 4]],
      ['a list', { list: 'other' }, 'list', [2, 5]],
      ['a live network', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }, 'network', [9]],
      ['a listed network where none was read', { network: BASE }, 'network', [1, 2, 3, 5, 6, 8]],
      ['a host, whatever its port', { host: 'a.example' }, 'host', [1, 2]],
      ['a part of a URL, in any case', { search: 'weather' }, null, [1, 3]],
      ['signs that mean something in a pattern', { search: '%25_' }, null, [4]],
      ['a part of a host', { search: 'b.exam' }, null, [3, 4]],
      ['the widest gap first', { sort: 'price_gap' }, null, [6, 2, 8, 1]],
      ['the widest gap of a list', { sort: 'price_gap', list: 'first-list' }, 'list', [6, 1]],
      ['two members', { reason: 'no_paywall', host: 'b.example' }, 'host', [3, 4]],
      ['two members, found by the other', { reason: 'no_paywall', host: 'b.example' }, 'reason', [3, 4]],
      ['two members that exclude each other', { reason: 'no_paywall', host: 'a.example' }, 'host', []],
      ['a member on which nothing leads', { reason: 'no_paywall', host: 'b.example' }, null, [3, 4]],
      [
        'all members',
        { reason: 'price_mismatch', list: 'other', network: BASE, host: 'a.example', search: 'two' },
        'host',
        [2],
      ],
      ['a list nobody has', { list: "x' or 1=1 --" }, 'list', []],
      ['a name too long for an index', { list: 'x'.repeat(2_000) }, 'list', []],
    ])('finds %s', async (_, changes, lead, expected) => {
      await published(runs, 'other', [crawlRow(90, { url: 'https://a.example/weather' })], 1);
      await published(runs, 'run', ROWS, 2);
      const wanted = wantedBy(changes, lead);
      expect(await runs.countSkips('run', wanted)).toEqual({ matches: expected.length, starts: [] });
      expect(numbers(await runs.skips('run', wanted, { after: null, limit: 500 }))).toEqual(expected);
      // The same, one by one: behind every row comes the next.
      const one = await runs.skips('run', wanted, { after: null, limit: 1 });
      expect(numbers(one)).toEqual(expected.slice(0, 1));
    });

    it('gives the receipts exactly as they were stored', async () => {
      await published(runs, 'run', ROWS);
      const [found] = await runs.skips('run', wantedBy({ search: 'six' }), { after: null, limit: 9 });
      expect(found).toEqual(ROWS[5]?.receipt);
    });

    it.each<[string, Partial<SkipFilter>, SkipFacet | null, number]>([
      ['by URL', {}, null, 6_002],
      ['by an index', { reason: 'price_mismatch' }, 'reason', 6_002],
      ['row by row', { list: 'first-list', reason: 'price_mismatch' }, 'list', 6_002],
      ['every third row', { list: 'third' }, null, 2_000],
      ['by gap', { sort: 'price_gap' }, null, 6_002],
      ['by gap, every third row', { sort: 'price_gap', list: 'third' }, 'list', 2_000],
    ])(
      'pages thousands of rows %s, without a gap or a repeat',
      async (_, changes, lead, matches) => {
        // A third does not go into a slice evenly: a page then starts in the middle of one.
        const step = changes.list === 'third' ? 3 : 1;
        const many = await manyRows(step);
        const wanted = wantedBy(changes, lead);
        const { matches: counted, starts } = await many.countSkips('run', wanted);
        expect([counted, starts.length]).toEqual([matches, Math.ceil(matches / 500) - 1]);
        const pages: number[][] = [];
        for (const after of [null, ...starts] satisfies (SkipPosition | null)[]) {
          pages.push(numbers(await many.skips('run', wanted, { after, limit: 500 })));
        }
        expect(pages.slice(0, -1).every(({ length }) => length === 500)).toBe(true);
        expect(pages.flat()).toEqual(Array.from({ length: matches }, (_row, n) => n * step + step));
      },
      30_000,
    );

    it('a full last page starts no other one', async () => {
      await published(
        runs,
        'run',
        Array.from({ length: 1_000 }, (_, n) => crawlRow(n + 1)),
      );
      const { matches, starts } = await runs.countSkips(
        'run',
        wantedBy({ reason: 'price_mismatch' }, 'reason'),
      );
      expect([matches, starts.map(({ id }) => id)]).toEqual([1_000, [crawlId(500)]]);
    });

    it('shows nothing of a run that is not published', async () => {
      await unpublished(runs, 'run', ROWS);
      for (const runId of ['run', 'nowhere']) {
        expect(await runs.countSkips(runId, wantedBy({}))).toEqual({ matches: 0, starts: [] });
        expect(await runs.skips(runId, wantedBy({}), { after: null, limit: 9 })).toEqual([]);
      }
      expect(await runs.byIds([crawlId(1)])).toEqual([]);
    });

    it('finds published receipts by their ids', async () => {
      await published(runs, 'run', ROWS);
      const found = await runs.byIds([crawlId(9), crawlId(1), crawlId(77)]);
      expect(numbers(found).sort((a, b) => a - b)).toEqual([1, 9]);
      expect(await runs.byIds([])).toEqual([]);
    });
  });
}
