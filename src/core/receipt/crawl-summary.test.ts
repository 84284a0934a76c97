import { describe, expect, it } from 'vitest';
import { listed } from '../../../tools/samples/listed.ts';
import { microUsd } from '../money/micro-usd.ts';
import { type CrawlReceipt, crawlReceipt } from './crawl-receipt.ts';
import { pageCount, summarizeRows } from './crawl-summary.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const template: CrawlReceipt = crawlReceipt({
  id: '0000000000',
  listed: listed('https://a.example/:id'),
  finding: { kind: 'path_template' },
  offer: null,
  observation: null,
  checkedAt: NOON,
});
const receipt = (id: string, changes: Partial<CrawlReceipt>): CrawlReceipt => ({
  ...template,
  id,
  ...changes,
});
const price = (id: string, claimed: bigint, quoted: bigint) =>
  receipt(id, { code: 'price_mismatch', claimedPrice: microUsd(claimed), quotedPrice: microUsd(quoted) });
const rows = (...receipts: CrawlReceipt[]) =>
  receipts.map((one) => ({ receipt: one, isNew: false, wasSkip: false }));

describe('the summary of a run (G91)', () => {
  it('counts URLs, verdicts and lists', () => {
    const summary = summarizeRows([
      {
        receipt: receipt('a', { verdict: 'pay', sourceList: 'x', listedIn: ['x', 'y'] }),
        isNew: true,
        wasSkip: false,
      },
      {
        receipt: receipt('b', { verdict: 'skip', sourceList: 'x', listedIn: ['x'] }),
        isNew: false,
        wasSkip: false,
      },
      {
        receipt: receipt('c', { verdict: 'recheck', sourceList: 'y', listedIn: ['y'] }),
        isNew: true,
        wasSkip: false,
      },
    ]);
    expect(summary).toEqual({
      endpointsCovered: 3,
      newThisWeek: 2,
      verdicts: { pay: 1, skip: 1, recheck: 1 },
      needsInput: 0,
      lists: new Map([
        ['x', 2],
        ['y', 1],
      ]),
      listedIn: new Map([
        ['x', 2],
        ['y', 2],
      ]),
      featuredId: 'b',
      skipPages: 1,
      receiptPages: 1,
      facets: expect.objectContaining({ newSkips: 1 }),
    });
  });

  it.each<[string, CrawlReceipt[], string | null]>([
    ['the largest price difference', [price('a', 10n, 20n), price('b', 10n, 90n), price('c', 10n, 50n)], 'b'],
    ['downwards as well', [price('a', 10n, 20n), price('b', 90n, 10n)], 'b'],
    [
      'a price before any other mismatch',
      [
        receipt('a', { code: 'network_mismatch' }),
        price('b', 1n, 2n),
        receipt('c', { code: 'pay_to_mismatch' }),
      ],
      'b',
    ],
    [
      'the first mismatch',
      [
        receipt('a', { code: 'no_paywall' }),
        receipt('b', { code: 'pay_to_mismatch' }),
        receipt('c', { code: 'network_mismatch' }),
      ],
      'b',
    ],
    [
      'a price mismatch of which one side is unknown counts as a mismatch',
      [receipt('a', {}), receipt('b', { code: 'price_mismatch' })],
      'b',
    ],
    ['the first skip', [receipt('a', { verdict: 'pay' }), receipt('b', {}), receipt('c', {})], 'b'],
    [
      'nothing without a skip',
      [receipt('a', { verdict: 'pay' }), receipt('b', { verdict: 'recheck' })],
      null,
    ],
    ['nothing that is set aside', [receipt('a', { code: 'needs_input' })], null],
    ['nothing in an empty run', [], null],
  ])('features %s', (_, receipts, id) => {
    expect(summarizeRows(rows(...receipts)).featuredId).toBe(id);
  });

  it.each<[number, number]>([
    [0, 1],
    [1, 1],
    [500, 1],
    [501, 2],
    [100_000, 200],
  ])('%i rows fill %i pages', (count, pages) => {
    expect(pageCount(count)).toBe(pages);
  });
});
