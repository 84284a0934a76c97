import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { Corrections } from '../../ports/log/corrections.ts';

export interface FeaturedPorts {
  readonly runs: Pick<PublishedRuns, 'byId'>;
  readonly corrections: Pick<Corrections, 'of'>;
}

/** The skip that a run features; null when it was withdrawn since, or its verdict corrected. */
export async function featuredReceipt(
  run: CrawlRun | null,
  { runs, corrections }: FeaturedPorts,
): Promise<CrawlReceipt | null> {
  const id = run?.summary.featuredId ?? null;
  const receipt = id === null ? null : await runs.byId(id);
  return receipt === null || (await corrections.of(receipt.id)).length > 0 ? null : receipt;
}
