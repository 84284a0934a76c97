import { CRAWL_HISTORY } from '../../core/limits.ts';
import { order } from '../../core/order.ts';
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
  const crawls = await runs.latestOf(key, CRAWL_HISTORY);
  const method = wanted ?? crawls[0]?.method ?? 'GET';
  const neutral = { method, onlyNeutral: true, most: CRAWL_HISTORY };
  const [live, dryRuns] = await Promise.all([
    checksOf(target, key, { mode: 'live', ...neutral }, receipts),
    checksOf(target, key, { mode: 'dry-run', ...neutral }, receipts),
  ]);
  const checks = [...live, ...dryRuns].map(observedLive);
  const listed = crawls.filter((receipt) => receipt.method === method).map(observedCrawl);
  return [...checks, ...listed].toSorted(
    (left, right) => order(right.at.getTime(), left.at.getTime()) || order(right.receiptId, left.receiptId),
  );
}
