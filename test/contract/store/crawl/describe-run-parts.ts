import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CrawlReceipt } from '../../../../src/core/receipt/crawl-receipt.ts';
import type { CrawlRow, CrawlRunStore, RunPart } from '../../../../src/ports/crawl-runs.ts';
import { PAYEE, THIEF } from '../../../../tools/samples/challenge.ts';
import { crawlRow, published, unpublished } from '../../../../tools/samples/crawl-rows.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SHOUTED = PAYEE.toUpperCase().replace('0X', '0x');
const host = (value: string): RunPart => ({ by: 'host', value });
const payee = (value: string): RunPart => ({
  by: 'payee',
  value: value.startsWith('0x') ? value.toLowerCase() : value,
});
const replaced = (value: string): RunPart => ({ by: 'replaced_payee', value: value.toLowerCase() });
const paid = { verdict: 'pay', code: 'price_ok' } as const;
const NONE = { pay: 0, skip: 0, recheck: 0, needsInput: 0 };

const ROWS: readonly CrawlRow[] = [
  crawlRow(1, { url: 'https://a.example/one', ...paid, payTo: PAYEE, listedPayTo: SHOUTED }),
  crawlRow(2, { url: 'https://A.example:8443/two', payTo: THIEF, listedPayTo: SHOUTED }),
  crawlRow(3, { url: 'https://a.example/three', code: 'needs_input', payTo: null, listedPayTo: PAYEE }),
  crawlRow(4, {
    url: 'https://b.example/four',
    verdict: 'recheck',
    code: 'timeout',
    payTo: null,
    listedPayTo: null,
  }),
  crawlRow(5, { url: 'https://b.example/five', ...paid, payTo: SOLANA, listedPayTo: null }),
  crawlRow(6, { url: 'https://c.example/six', ...paid, payTo: SHOUTED, listedPayTo: 'nobody' }),
  crawlRow(7, { url: 'https://c.example/seven', payTo: 'x'.repeat(2_000), listedPayTo: PAYEE }),
  crawlRow(8, {
    url: `https://${'d'.repeat(300)}.example/eight`,
    payTo: SOLANA.toLowerCase(),
    listedPayTo: SOLANA,
  }),
];

/** What a run says about a host and about a payee, on every store of them. */
export function describeRunParts(name: string, newPlace: NewPlace): void {
  describe(`hosts and payees of runs on ${name}`, () => {
    let place: Place;
    let runs: CrawlRunStore;

    beforeEach(async () => {
      place = await newPlace();
      ({ runs } = await place.open());
    });
    afterEach(() => place.remove());

    const numbers = (rows: readonly { readonly receipt: CrawlReceipt }[]) =>
      rows.map(({ receipt }) => Number.parseInt(receipt.id, 16));

    it.each<[string, RunPart, number[], object]>([
      [
        'a host, whatever its port and the case',
        host('a.example'),
        [2, 1, 3],
        { pay: 1, skip: 2, needsInput: 1 },
      ],
      ['another host', host('b.example'), [5, 4], { pay: 1, recheck: 1 }],
      ['a host that is not there', host('nowhere.example'), [], {}],
      ['no host that is too long for an index', host(`${'d'.repeat(300)}.example`), [], {}],
      ['a payee in any case', payee(PAYEE), [1, 6], { pay: 2 }],
      ['a payee whose case counts', payee(SOLANA), [5], { pay: 1 }],
      ['no payee that is not an address', payee('x'.repeat(2_000)), [], {}],
      ['a listed payee whom the live 402 replaces', replaced(PAYEE), [2], { skip: 1 }],
      ['no replaced payee where the live one is the same', replaced(THIEF), [], {}],
      ['no part of words of SQL', host("a' or 1=1 --"), [], {}],
    ])('finds %s', async (_, part, expected, counts) => {
      await published(runs, 'older', [crawlRow(90, { url: 'https://a.example/old', payTo: PAYEE })], 1);
      await published(runs, 'run', ROWS, 2);
      const rows = await runs.partRows('run', part, 9);
      expect(numbers(rows)).toEqual(expected);
      expect(rows.map(({ urlKey }) => urlKey)).toEqual(expected.map((n) => `key-${n}`));
      expect(numbers(await runs.partRows('run', part, 1))).toEqual(expected.slice(0, 1));
      expect(await runs.countPart('run', part, 9)).toEqual({ ...NONE, ...counts });
    });

    it('gives the receipts exactly as they were stored', async () => {
      await published(runs, 'run', ROWS);
      expect(await runs.partRows('run', host('c.example'), 9)).toEqual([ROWS[6], ROWS[5]]);
    });

    it('counts no more rows than it may', async () => {
      const many = Array.from({ length: 700 }, (_, n) => crawlRow(n + 1, { ...paid, payTo: PAYEE }));
      await published(runs, 'run', many);
      for (const part of [host('a.example'), payee(PAYEE)]) {
        expect(await runs.countPart('run', part, 600)).toEqual({ ...NONE, pay: 600 });
      }
      expect(await runs.sharesOf('run', host('a.example'), { rows: 600, shares: 9 })).toEqual([
        { name: PAYEE.toLowerCase(), endpoints: 600 },
      ]);
    });

    it('tells who is paid at a host, and which hosts pay to somebody, the most frequent first', async () => {
      const rows = [
        crawlRow(1, { url: 'https://a.example/1', payTo: THIEF }),
        crawlRow(2, { url: 'https://a.example/2', payTo: PAYEE }),
        crawlRow(3, { url: 'https://a.example/3', payTo: SHOUTED }),
        crawlRow(4, { url: 'https://a.example/4', payTo: null }),
        crawlRow(5, { url: 'https://b.example/5', payTo: PAYEE }),
        crawlRow(6, { url: `https://${'d'.repeat(300)}.example/6`, payTo: PAYEE }),
      ];
      await published(runs, 'run', rows);
      const all = { rows: 9, shares: 9 };
      expect(await runs.sharesOf('run', host('a.example'), all)).toEqual([
        { name: PAYEE.toLowerCase(), endpoints: 2 },
        { name: THIEF.toLowerCase(), endpoints: 1 },
      ]);
      expect(await runs.sharesOf('run', payee(PAYEE), all)).toEqual([
        { name: 'a.example', endpoints: 2 },
        { name: 'b.example', endpoints: 1 },
      ]);
      expect(await runs.sharesOf('run', host('a.example'), { rows: 9, shares: 1 })).toHaveLength(1);
      expect(await runs.sharesOf('run', host('nowhere.example'), all)).toEqual([]);
    });

    it('names the newest published runs, without those of a release that did not keep payees', async () => {
      await published(runs, 'first', [crawlRow(1, { payTo: PAYEE })], 1);
      await published(runs, 'second', [crawlRow(2, { payTo: PAYEE })], 2);
      await published(runs, 'third', [crawlRow(3, { payTo: PAYEE })], 3);
      await unpublished(runs, 'coming', [crawlRow(4, { payTo: PAYEE })]);
      await place.ask("update crawl_receipts set payee = null where run_id = 'second'");
      expect(await runs.countableRuns(1)).toEqual([{ id: 'third', crawledAt: afterNoon(3) }]);
      expect(await runs.countableRuns(9)).toEqual([
        { id: 'third', crawledAt: afterNoon(3) },
        { id: 'first', crawledAt: afterNoon(1) },
      ]);
    });

    it('shows nothing of a run that is not published', async () => {
      await unpublished(runs, 'run', ROWS);
      for (const runId of ['run', 'nowhere']) {
        expect(await runs.partRows(runId, host('a.example'), 9)).toEqual([]);
        expect(await runs.countPart(runId, host('a.example'), 9)).toEqual(NONE);
        expect(await runs.sharesOf(runId, host('a.example'), { rows: 9, shares: 9 })).toEqual([]);
      }
      expect(await runs.countableRuns(9)).toEqual([]);
    });

    it('keeps a row whose host and URL are as long as they get', async () => {
      // Nothing that a database could compress.
      const noise = Array.from({ length: 1_790 }, (_, n) => ((n * n * 2_654_435_761) % 36).toString(36)).join(
        '',
      );
      const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
      const url = `https://${name}/${noise}`.slice(0, 2_048);
      await published(runs, 'r'.repeat(36), [crawlRow(1, { url, payTo: SOLANA, listedPayTo: PAYEE })]);
      for (const part of [host(name), payee(SOLANA), replaced(PAYEE)]) {
        expect(numbers(await runs.partRows('r'.repeat(36), part, 9))).toEqual([1]);
      }
    });
  });
}
