import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { runTrend, type TrendPoint } from '../../core/receipt/run-trend.ts';
import { EVERY_SKIP } from '../../core/receipt/skip-filter.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { Corrections } from '../../ports/log/corrections.ts';
import type { CrawlPage } from './list-crawl.ts';

/** What the first page of skips has above its rows. */
export interface SkipsOverview {
  /** A differing payee first, then the largest price gaps. */
  readonly gravest: readonly CrawlReceipt[];
  readonly trend: readonly TrendPoint[];
}

const GRAVEST_SHOWN = 5;
/** Read of each kind, to find those that may be shown. */
const GRAVEST_READ = 100;
const RUNS_SHOWN = 12;

export interface OverviewPorts {
  readonly runs: Pick<PublishedRuns, 'skips' | 'recent'>;
  readonly corrections: Pick<Corrections, 'of'>;
}

/** Null on filtered and later pages. */
export async function skipsOverview(
  { run, view, page }: CrawlPage,
  ports: OverviewPorts,
): Promise<SkipsOverview | null> {
  if (run === null || view !== null || page > 1) return null;
  const recent = await ports.runs.recent(RUNS_SHOWN);
  return {
    gravest: await gravestSkips(run, ports),
    // A run may have been published since this one was read.
    trend: runTrend(recent.filter(({ crawledAt }) => crawledAt <= run.crawledAt)),
  };
}

/** Two reads by index, whatever the size of the run. A verdict that we corrected is no example. */
async function gravestSkips(
  { id }: CrawlRun,
  { runs, corrections }: OverviewPorts,
): Promise<readonly CrawlReceipt[]> {
  const payees = { filter: { ...EVERY_SKIP, reason: 'pay_to_mismatch' }, lead: 'reason' } as const;
  const prices = { filter: { ...EVERY_SKIP, sort: 'price_gap' }, lead: null } as const;
  const shown: CrawlReceipt[] = [];
  for (const wanted of [payees, prices]) {
    if (shown.length === GRAVEST_SHOWN) break;
    for (const receipt of await runs.skips(id, wanted, { after: null, limit: GRAVEST_READ })) {
      if (shown.length === GRAVEST_SHOWN) break;
      if (asksLess(receipt)) continue;
      if ((await corrections.of(receipt.id)).length === 0) shown.push(receipt);
    }
  }
  return shown;
}

/** It costs nobody anything: whoever adds a row to a list can name any price, however high. */
function asksLess({ code, claimedPrice, quotedPrice }: CrawlReceipt): boolean {
  return code === 'price_mismatch' && quotedPrice !== null && quotedPrice < (claimedPrice ?? 0n);
}
