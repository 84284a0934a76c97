import { CRAWL_HISTORY } from '../../core/limits.ts';
import { order } from '../../core/order.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl, type TargetUrl } from '../../core/url/target-url.ts';
import { checksOf, isSpelledSo } from './own-spelling.ts';
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
 * The latest decision that a badge may show; null without one. Checks with a claim of the caller, with another method than the
 * listed one, or of another spelling do not count: anybody could make a seller look bad with them (gaps L41 and G99).
 */
export async function badgeReceipt(target: TargetUrl, ports: ReceiptPorts): Promise<FoundReceipt | null> {
  const { receipts, runs, keyOf } = ports;
  const key = keyOf(target.normalized);
  const [checks, crawls] = await Promise.all([
    checksOf(target, key, 'live', receipts),
    runs.latestOf(key, CRAWL_HISTORY),
  ]);
  const method = crawls[0]?.method ?? 'GET';
  const live = checks
    .filter((receipt) => receipt.expected.source !== 'request' && receipt.method === method)
    .map((receipt) => ({ kind: 'live', receipt }) as const);
  const crawl = crawls.map((receipt) => ({ kind: 'crawl', receipt }) as const);
  const all = newestFirst<FoundReceipt>([...live, ...crawl]);
  return all.find(({ receipt }) => isSpelledSo(receipt, target)) ?? all[0] ?? null;
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
