import { PART_PAGE } from '../../../core/limits.ts';
import type { MicroUsd } from '../../../core/money/micro-usd.ts';
import { order } from '../../../core/order.ts';
import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import { isSameAddress } from '../../../core/x402/address.ts';
import type { CrawlRow, PublishedRuns } from '../../../ports/crawl-runs.ts';

interface Changed {
  /** The receipt that shows it first. */
  readonly receipt: CrawlReceipt;
}

/** A price or a payee that differs from the last one that an earlier run had read. */
export type EndpointChange = Changed &
  (
    | { readonly what: 'price'; readonly before: MicroUsd; readonly after: MicroUsd }
    | { readonly what: 'payee'; readonly before: string; readonly after: string }
  );

/** The changes of the first endpoints over the last runs, newest first. */
export async function endpointChanges(
  rows: readonly CrawlRow[],
  runs: Pick<PublishedRuns, 'latestOf'>,
): Promise<readonly EndpointChange[]> {
  const found: EndpointChange[] = [];
  for (const { urlKey } of rows.slice(0, PART_PAGE.followed)) {
    found.push(...changesIn(await runs.latestOf(urlKey, PART_PAGE.runs)));
  }
  return found
    .toSorted((left, right) => order(right.receipt.checkedAt.getTime(), left.receipt.checkedAt.getTime()))
    .slice(0, PART_PAGE.changes);
}

function changesIn(newestFirst: readonly CrawlReceipt[]): readonly EndpointChange[] {
  const changes: EndpointChange[] = [];
  let price: MicroUsd | null = null;
  let payee: string | null = null;
  for (const receipt of newestFirst.toReversed()) {
    const { quotedPrice, payTo } = receipt;
    if (price !== null && quotedPrice !== null && price !== quotedPrice) {
      changes.push({ receipt, what: 'price', before: price, after: quotedPrice });
    }
    if (payee !== null && payTo !== null && !isSameAddress(payee, payTo)) {
      changes.push({ receipt, what: 'payee', before: payee, after: payTo });
    }
    price = quotedPrice ?? price;
    payee = payTo ?? payee;
  }
  return changes;
}
