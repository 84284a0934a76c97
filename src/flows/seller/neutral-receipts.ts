import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import { CRAWL_HISTORY } from '../../core/limits.ts';
import { order } from '../../core/order.ts';
import { type Observed, observedCrawl, observedLive } from '../../core/seller/observed-state.ts';
import { type CorrectedPorts, rightVerdicts } from '../read/corrected-receipts.ts';
import { checksOf } from '../read/own-spelling.ts';
import type { ReceiptPorts, UrlAndMethod } from '../read/read-receipts.ts';

export interface NeutralPorts
  extends CorrectedPorts,
    Pick<ReceiptPorts, 'receipts' | 'runs' | 'keyOf' | 'clock'> {}

/**
 * What was observed at a URL, newest first: the crawl, and checks without a claim or an input of the caller, with the wanted method
 * (else the listed one, else GET) and of its own spelling. So nobody can make an endpoint look changed by asking oddly (gap L113). A
 * verdict that we corrected is not said again.
 */
export async function neutralReceipts(
  { target, method: wanted }: UrlAndMethod,
  { receipts, runs, keyOf, corrections, clock }: NeutralPorts,
): Promise<readonly Observed[]> {
  const key = keyOf(target.normalized);
  const crawls = await runs.latestOf(key, CRAWL_HISTORY);
  const method = wanted ?? crawls[0]?.method ?? 'GET';
  const now = clock.now();
  const neutral = { method, onlyNeutral: true, most: CRAWL_HISTORY, now };
  const [live, dryRuns, right] = await Promise.all([
    checksOf(target, key, { mode: 'live', ...neutral }, receipts),
    checksOf(target, key, { mode: 'dry-run', ...neutral }, receipts),
    rightVerdicts({ corrections }),
  ]);
  const checks = [...live, ...dryRuns].map(observedLive);
  const listed = crawls.filter((receipt) => receipt.method === method).map(observedCrawl);
  return [...checks, ...listed]
    .filter(({ at }) => !isDatedAhead(at.getTime(), now))
    .map((seen) => ({ ...seen, verdict: right.get(seen.receiptId) ?? seen.verdict }))
    .toSorted((a, b) => order(b.at.getTime(), a.at.getTime()) || order(b.receiptId, a.receiptId));
}
