import * as z from 'zod';
import type { ReceiptsOfUrl } from '../../flows/read/read-receipts.ts';
import { fullCrawlReceipt, fullCrawlReceiptJson, historyEntry, historyJson } from './crawl-receipt-json.ts';
import type { Links } from './links.ts';
import { liveReceiptJson, liveReceiptShape } from './live-receipt-json.ts';

/** Everything public about one URL (gap G56). */
export const byUrlResponse = z.object({
  latest_live: liveReceiptShape.nullable().describe('The last live check; null if there was none.'),
  latest_dry_run: liveReceiptShape.nullable().describe('The last dry run; null if there was none.'),
  latest_crawl: fullCrawlReceipt.nullable().describe('The last crawl receipt; null if there is none.'),
  history: z.array(historyEntry).describe('The last 20 crawl receipts, newest first.'),
});

export function byUrlJson(found: ReceiptsOfUrl, links: Links): z.infer<typeof byUrlResponse> {
  const { latestLive, latestDryRun, latestCrawl, history } = found;
  return {
    latest_live: latestLive === null ? null : liveReceiptJson(latestLive, links),
    latest_dry_run: latestDryRun === null ? null : liveReceiptJson(latestDryRun, links),
    latest_crawl: latestCrawl === null ? null : fullCrawlReceiptJson(latestCrawl, links),
    history: history.map(historyJson),
  };
}

/** Extra problem members: the URL, and the address of a dry-run check of it. */
export function checkNow(href: string, { spotCheck }: Links) {
  return { url: href, check_now: `${spotCheck}?mode=dry-run&url=${encodeURIComponent(href)}` };
}
