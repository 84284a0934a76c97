import { type HoldReason, tallyAnswers } from '../../core/crawl/hold-run.ts';
import { CRAWL_PAGE_SIZE } from '../../core/limits.ts';
import type { CrawlPosition, CrawlRun } from '../../core/receipt/crawl-run.ts';
import { startSummary } from '../../core/receipt/crawl-summary.ts';
import type { CrawlRunStore, FinishedRow, PageStarts } from '../../ports/crawl-runs.ts';
import type { CrawlPorts } from './crawl-ports.ts';

const STEP = 1_000;

export type FinishedRun = Pick<CrawlRun, 'id' | 'crawledAt' | 'sources'>;

export type Publication =
  | { readonly kind: 'published'; readonly run: CrawlRun }
  | { readonly kind: 'unfit'; readonly reason: HoldReason };

export interface PublishOptions {
  /** Also a run that would be held. */
  readonly publishAnyway?: boolean;
}

/**
 * Summarizes a finished run and publishes it in one step (gap G70), if it is fit to be. Its tree in the transparency log grows
 * along with the summary.
 */
export async function publishRun(
  finished: FinishedRun,
  { publishAnyway = false }: PublishOptions,
  { runs, runLog }: Pick<CrawlPorts, 'runs' | 'runLog'>,
): Promise<Publication> {
  // After a crash between publishing and finishing, the run is published but its job is not finished.
  const latest = await runs.latest();
  if (latest?.id === finished.id) return { kind: 'published', run: latest };
  const tree = (await runLog?.begin(finished.id)) ?? null;
  const answers = tallyAnswers();
  const { run, starts } = await summarizeRun(finished, runs, async (rows) => {
    for (const { receipt, wasHeard } of rows) answers.add(receipt, wasHeard);
    await tree?.add(rows.map(({ statement }) => statement));
  });
  const reason = publishAnyway ? null : answers.holdReason();
  if (reason !== null) return { kind: 'unfit', reason };
  await runs.publish(run, starts, (await tree?.finish(run)) ?? null);
  return { kind: 'published', run };
}

/** The run as it would be published now, and the starts of its pages. */
export async function summarizeRun(
  finished: FinishedRun,
  runs: CrawlRunStore,
  onRows?: (rows: readonly FinishedRow[]) => Promise<void>,
): Promise<{ readonly run: CrawlRun; readonly starts: PageStarts }> {
  const summary = startSummary();
  const pages = { all: pageStarts(), skip: pageStarts() };
  for (let after: CrawlPosition | null = null; ; ) {
    const rows = await runs.rows(finished.id, after, STEP);
    for (const row of rows) {
      summary.add(row);
      pages.all.pass(row.receipt);
      if (row.receipt.verdict === 'skip') pages.skip.pass(row.receipt);
    }
    await onRows?.(rows);
    const last = rows.at(-1)?.receipt;
    if (last === undefined) break;
    after = { url: last.url, id: last.id };
  }
  const previous = await runs.latest();
  const run = { ...finished, previousRun: previous?.crawledAt ?? null, summary: summary.total() };
  return { run, starts: { all: pages.all.positions, skip: pages.skip.positions } };
}

/** The last row of every full page: the next page starts after it. */
function pageStarts() {
  const positions: CrawlPosition[] = [];
  let last: CrawlPosition | null = null;
  let rows = 0;
  return {
    positions,
    pass({ url, id }: CrawlPosition) {
      // Only a row after a full page makes another page.
      if (rows > 0 && rows % CRAWL_PAGE_SIZE === 0 && last !== null) positions.push(last);
      last = { url, id };
      rows += 1;
    },
  };
}
