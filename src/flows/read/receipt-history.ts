import { CRAWL_HISTORY } from '../../core/limits.ts';
import { order } from '../../core/order.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { FoundReceipt, ReceiptPorts } from './read-receipts.ts';

/** All receipts of a receipt's URL, newest first; null for a redacted URL, which cannot be looked up. */
export async function receiptHistory(
  url: string,
  ports: ReceiptPorts,
): Promise<readonly FoundReceipt[] | null> {
  const reading = parseTargetUrl(url);
  if (reading.kind !== 'target' || isRedacted(url)) return null;
  const { live, dryRuns, crawl } = await receiptsOf(reading.target.normalized, ports);
  return newestFirst([...live, ...dryRuns, ...crawl]).slice(0, CRAWL_HISTORY);
}

/**
 * The latest decision that a badge may show; null without one. Checks with a claim of the caller, or with another method than
 * the listed one, do not count: anybody could make a seller look bad with a wrong claim or method (gap L41).
 */
export async function badgeReceipt(normalizedUrl: string, ports: ReceiptPorts): Promise<FoundReceipt | null> {
  const { live, crawl } = await receiptsOf(normalizedUrl, ports);
  const method = crawl[0]?.receipt.method ?? 'GET';
  const unclaimed = live.filter(
    ({ receipt }) => receipt.expected.source !== 'request' && receipt.method === method,
  );
  return newestFirst<FoundReceipt>([...unclaimed, ...crawl])[0] ?? null;
}

async function receiptsOf(normalizedUrl: string, { receipts, runs, keyOf }: ReceiptPorts) {
  const key = keyOf(normalizedUrl);
  const [live, dryRuns, crawl] = await Promise.all([
    receipts.latestOf(key, 'live', CRAWL_HISTORY),
    receipts.latestOf(key, 'dry-run', CRAWL_HISTORY),
    runs.latestOf(key, CRAWL_HISTORY),
  ]);
  return {
    live: live.map((receipt) => ({ kind: 'live', receipt }) as const),
    dryRuns: dryRuns.map((receipt) => ({ kind: 'live', receipt }) as const),
    crawl: crawl.map((receipt) => ({ kind: 'crawl', receipt }) as const),
  };
}

function newestFirst<Found extends FoundReceipt>(found: readonly Found[]): readonly Found[] {
  return found.toSorted(
    ({ receipt: left }, { receipt: right }) =>
      order(right.checkedAt.getTime(), left.checkedAt.getTime()) || order(right.id, left.id),
  );
}
