import type { MicroUsd } from '../money/micro-usd.ts';
import { order } from '../order.ts';

/** A price that the endpoint asked at a moment: of a call that we paid for, or of the unpaid request of a crawl. */
export interface AskedPrice {
  readonly at: Date;
  readonly price: MicroUsd;
  readonly source: 'paid' | 'crawl';
}

/** One price for as long as no other was seen. */
export interface PriceSpan {
  readonly price: MicroUsd;
  readonly from: Date;
  readonly to: Date;
  readonly times: number;
  readonly sources: readonly AskedPrice['source'][];
}

/** Latest first. */
export function askedPrices(prices: readonly AskedPrice[]): readonly PriceSpan[] {
  const spans: PriceSpan[] = [];
  for (const { at, price, source } of prices.toSorted((left, right) =>
    order(left.at.getTime(), right.at.getTime()),
  )) {
    const last = spans.at(-1);
    if (last?.price === price) {
      const sources = last.sources.includes(source) ? last.sources : [...last.sources, source];
      spans.splice(-1, 1, { ...last, to: at, times: last.times + 1, sources });
    } else {
      spans.push({ price, from: at, to: at, times: 1, sources: [source] });
    }
  }
  return spans.reverse();
}
