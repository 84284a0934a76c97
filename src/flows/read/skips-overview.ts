import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { runTrend, type TrendPoint } from '../../core/receipt/run-trend.ts';
import { EVERY_SKIP } from '../../core/receipt/skip-filter.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { CrawlPage } from './list-crawl.ts';

/** What the first page of skips has above its rows. */
export interface SkipsOverview {
  /** A differing payee first, then the largest price gaps. */
  readonly gravest: readonly CrawlReceipt[];
  readonly trend: readonly TrendPoint[];
}

const GRAVEST_SHOWN = 5;
const RUNS_SHOWN = 12;

/** Null on filtered and later pages. */
export async function skipsOverview(
  { run, view, page }: CrawlPage,
  runs: Pick<PublishedRuns, 'skips' | 'recent'>,
): Promise<SkipsOverview | null> {
  if (run === null || view !== null || page > 1) return null;
  const recent = await runs.recent(RUNS_SHOWN);
  return {
    gravest: await gravestSkips(run, runs),
    // A run may have been published since this one was read.
    trend: runTrend(recent.filter(({ crawledAt }) => crawledAt <= run.crawledAt)),
  };
}

/** Two reads by index, whatever the size of the run. */
async function gravestSkips(
  { id }: CrawlRun,
  runs: Pick<PublishedRuns, 'skips'>,
): Promise<readonly CrawlReceipt[]> {
  const payees = await runs.skips(
    id,
    { filter: { ...EVERY_SKIP, reason: 'pay_to_mismatch' }, lead: 'reason' },
    { after: null, limit: GRAVEST_SHOWN },
  );
  const limit = GRAVEST_SHOWN - payees.length;
  if (limit === 0) return payees;
  const wanted = { filter: { ...EVERY_SKIP, sort: 'price_gap' }, lead: null } as const;
  return [...payees, ...(await runs.skips(id, wanted, { after: null, limit }))];
}
