import { CRAWL_HISTORY } from '../../core/limits.ts';
import { order } from '../../core/order.ts';
import { isNeutral } from '../../core/receipt/live-receipt.ts';
import { type Observed, observedCrawl, observedLive } from '../../core/seller/observed-state.ts';
import { checksOf } from '../read/own-spelling.ts';
import type { ReceiptPorts, UrlAndMethod } from '../read/read-receipts.ts';

/**
 * What was observed at a URL, newest first: the crawl, and checks without a claim or an input of the caller, with the wanted method
 * (else the listed one, else GET) and of its own spelling. So nobody can make an endpoint look changed by asking oddly (gap L113).
 */
export async function neutralReceipts(
  { target, method: wanted }: UrlAndMethod,
  { receipts, runs, keyOf }: Pick<ReceiptPorts, 'receipts' | 'runs' | 'keyOf'>,
): Promise<readonly Observed[]> {
  const key = keyOf(target.normalized);
  const [live, dryRuns, crawls] = await Promise.all([
    checksOf(target, key, 'live', receipts),
    checksOf(target, key, 'dry-run', receipts),
    runs.latestOf(key, CRAWL_HISTORY),
  ]);
  const method = wanted ?? crawls[0]?.method ?? 'GET';
  const checks = [...live, ...dryRuns].filter((receipt) => isNeutral(receipt) && receipt.method === method);
  const listed = crawls.filter((receipt) => receipt.method === method);
  return [...checks.map(observedLive), ...listed.map(observedCrawl)].toSorted(
    (left, right) => order(right.at.getTime(), left.at.getTime()) || order(right.receiptId, left.receiptId),
  );
}
