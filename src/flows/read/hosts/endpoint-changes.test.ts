import { describe, expect, it } from 'vitest';
import { PAYEE, THIEF } from '../../../../tools/samples/challenge.ts';
import { crawlRow } from '../../../../tools/samples/crawl-rows.ts';
import { afterNoon } from '../../../../tools/samples/store-receipts.ts';
import { microUsd } from '../../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import { endpointChanges } from './endpoint-changes.ts';

/** Price and payee of the runs of one endpoint, oldest first. */
type Seen = readonly [price: bigint | null, payTo: string | null];

const receiptsOf = (seen: readonly Seen[]): readonly CrawlReceipt[] =>
  seen
    .map(([price, payTo], n) => {
      const quotedPrice = price === null ? null : microUsd(price);
      return crawlRow(n + 1, { quotedPrice, payTo, checkedAt: afterNoon(n) }).receipt;
    })
    .toReversed();

const changesOf = async (seen: readonly Seen[]) => {
  const found = await endpointChanges([crawlRow(1)], { latestOf: async () => receiptsOf(seen) });
  return found.map(({ what, before, after, receipt }) => [
    what,
    String(before),
    String(after),
    receipt.checkedAt.getTime() - afterNoon(0).getTime(),
  ]);
};

describe('the changes of an endpoint', () => {
  it.each<[string, readonly Seen[], unknown[]]>([
    ['nothing in one run', [[10n, PAYEE]], []],
    [
      'nothing while all stays',
      [
        [10n, PAYEE],
        [10n, PAYEE],
      ],
      [],
    ],
    [
      'a price',
      [
        [10n, PAYEE],
        [20n, PAYEE],
      ],
      [['price', '10', '20', 1]],
    ],
    [
      'a payee',
      [
        [10n, PAYEE],
        [10n, THIEF],
      ],
      [['payee', PAYEE, THIEF, 1]],
    ],
    [
      'no payee in another letter case',
      [
        [10n, PAYEE],
        [10n, PAYEE.toLowerCase()],
      ],
      [],
    ],
    [
      'no change to an unknown value',
      [
        [10n, PAYEE],
        [null, null],
      ],
      [],
    ],
    [
      'the last known value before a gap',
      [
        [10n, PAYEE],
        [null, null],
        [30n, THIEF],
      ],
      [
        ['price', '10', '30', 2],
        ['payee', PAYEE, THIEF, 2],
      ],
    ],
    [
      'there and back, newest first',
      [
        [10n, PAYEE],
        [20n, PAYEE],
        [10n, PAYEE],
      ],
      [
        ['price', '20', '10', 2],
        ['price', '10', '20', 1],
      ],
    ],
  ])('%s', async (_, seen, expected) => {
    expect(await changesOf(seen)).toEqual(expected);
  });

  it('are read of the first 20 endpoints, and the newest 50 are kept', async () => {
    const asked: [string, number][] = [];
    const rows = Array.from({ length: 200 }, (_, n) => crawlRow(n + 1));
    const busy = receiptsOf(Array.from({ length: 12 }, (_, n) => [BigInt(n), PAYEE]));
    const found = await endpointChanges(rows, {
      async latestOf(urlKey, limit) {
        asked.push([urlKey, limit]);
        return busy;
      },
    });
    expect([asked.length, asked[0], found.length]).toEqual([20, ['key-1', 12], 50]);
    expect(found[0]?.receipt.checkedAt).toEqual(afterNoon(11));
  });
});
