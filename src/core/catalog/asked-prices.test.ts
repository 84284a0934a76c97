import { describe, expect, it } from 'vitest';
import { microUsd } from '../money/micro-usd.ts';
import { type AskedPrice, askedPrices } from './asked-prices.ts';

const at = (day: number, price: bigint, source: AskedPrice['source'] = 'paid'): AskedPrice => ({
  at: new Date(Date.UTC(2026, 10, day)),
  price: microUsd(price),
  source,
});
const spansOf = (prices: AskedPrice[]) =>
  askedPrices(prices).map(({ price, from, to, times }) => [price, from.getUTCDate(), to.getUTCDate(), times]);

describe('prices that were asked over time', () => {
  it.each<[string, AskedPrice[], unknown[]]>([
    ['none', [], []],
    ['one', [at(3, 10n)], [[10n, 3, 3, 1]]],
    ['the same price again and again', [at(5, 10n), at(1, 10n), at(3, 10n)], [[10n, 1, 5, 3]]],
    [
      'a new price',
      [at(1, 10n), at(2, 20n), at(3, 20n)],
      [
        [20n, 2, 3, 2],
        [10n, 1, 1, 1],
      ],
    ],
    [
      'back to the old one',
      [at(1, 10n), at(2, 20n), at(3, 10n)],
      [
        [10n, 3, 3, 1],
        [20n, 2, 2, 1],
        [10n, 1, 1, 1],
      ],
    ],
  ])('%s', (_, prices, spans) => {
    expect(spansOf(prices)).toEqual(spans);
  });

  it('says who saw a price', () => {
    const [span] = askedPrices([at(1, 10n), at(2, 10n, 'crawl'), at(3, 10n)]);
    expect(span?.sources).toEqual(['paid', 'crawl']);
  });
});
