import { type AskedPrice, askedPrices, type PriceSpan } from '../../core/catalog/asked-prices.ts';
import { CRAWL_HISTORY } from '../../core/limits.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { KnownService } from './read-service.ts';

export interface AskedPricePorts {
  readonly runs: Pick<PublishedRuns, 'latestOf'>;
  readonly keyOf: (text: string) => string;
}

export interface ListedAndAsked {
  readonly listed: MicroUsd;
  readonly asked: readonly PriceSpan[];
}

/** What the endpoint of a service asked over time: in our paid calls, and in the crawls of its URL. */
export async function readAskedPrices(
  { service, facts }: KnownService,
  { runs, keyOf }: AskedPricePorts,
): Promise<ListedAndAsked> {
  const crawled = await runs.latestOf(keyOf(service.endpoint.normalized), CRAWL_HISTORY);
  const paid = facts.calls.map(({ calledAt, charged }) => point(calledAt, charged, 'paid'));
  const seen = crawled
    .filter(({ method }) => method === service.method)
    .map(({ checkedAt, quotedPrice }) => point(checkedAt, quotedPrice, 'crawl'));
  return { listed: service.price, asked: askedPrices([...paid, ...seen].flat()) };
}

function point(at: Date, price: AskedPrice['price'] | null, source: AskedPrice['source']): AskedPrice[] {
  return price === null ? [] : [{ at, price, source }];
}
