import { urlKeyOf } from '../../../src/core/keyed-hash.ts';
import type { CrawlReceipt } from '../../../src/core/receipt/crawl-receipt.ts';
import type { CrawlPosition, CrawlRun } from '../../../src/core/receipt/crawl-run.ts';
import { type SummaryRow, summarizeRows } from '../../../src/core/receipt/crawl-summary.ts';
import type { CrawlRow, CrawlRunStore } from '../../../src/ports/crawl-runs.ts';
import { aCrawlReceipt, pageStartsOf, unpublished } from '../../../tools/samples/crawl-rows.ts';
import { target } from '../../../tools/samples/listed.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { SECRET } from '../running/running-service.ts';

/** A row under the key by which the service of the tests finds this URL; `changes` says how the URL is shown. */
export function crawled(url: string, changes: Partial<CrawlReceipt> = {}): CrawlRow {
  return { urlKey: urlKeyOf(SECRET)(target(url).normalized), receipt: aCrawlReceipt({ url, ...changes }) };
}

const SOURCES: CrawlRun['sources'] = new Map([
  ['first-list', { ok: true, items: 3, skipped: false, note: 'read in 2 pages' }],
  ['paid-list', { ok: false, items: null, skipped: true, note: 'asks for a payment' }],
]);

/** Publishes a run as the crawl does: totals and page starts are counted from the rows that were stored. */
export async function publishCrawl(
  runs: CrawlRunStore,
  id: string,
  rows: readonly CrawlRow[],
  changes: Partial<Pick<CrawlRun, 'crawledAt' | 'previousRun' | 'sources'>> = {},
): Promise<void> {
  await unpublished(runs, id, rows);
  const stored: SummaryRow[] = [];
  for (let after: CrawlPosition | null = null; ; ) {
    const page = await runs.rows(id, after, 1_000);
    stored.push(...page);
    after = page.at(-1)?.receipt ?? null;
    if (after === null) break;
  }
  const run = { id, crawledAt: NOON, previousRun: null, sources: SOURCES, ...changes };
  await runs.publish({ ...run, summary: summarizeRows(stored) }, await pageStartsOf(runs, id));
}
