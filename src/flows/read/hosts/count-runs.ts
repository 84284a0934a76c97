import { PART_PAGE } from '../../../core/limits.ts';
import type { CrawlRun } from '../../../core/receipt/crawl-run.ts';
import type { PartCount, PublishedRuns, RunPart } from '../../../ports/crawl-runs.ts';

/** What one run has of a host or a payee. */
export interface RunCount extends PartCount {
  readonly runId: string;
  readonly crawledAt: Date;
  readonly endpoints: number;
  /** False if there may be more: counting stops at a limit. */
  readonly isComplete: boolean;
}

/** The run that is shown and the newest before it, newest first. Those whose rows cannot be counted are left out. */
export async function countRuns(
  part: RunPart,
  shown: CrawlRun,
  runs: Pick<PublishedRuns, 'countableRuns' | 'countPart'>,
): Promise<readonly RunCount[]> {
  const counts: RunCount[] = [];
  const countable = await runs.countableRuns(PART_PAGE.runs);
  const earlier = countable.filter(({ id, crawledAt }) => id !== shown.id && crawledAt <= shown.crawledAt);
  for (const { id, crawledAt } of [shown, ...earlier].slice(0, PART_PAGE.runs)) {
    const count = await runs.countPart(id, part, PART_PAGE.counted);
    const endpoints = count.pay + count.skip + count.recheck;
    counts.push({ ...count, runId: id, crawledAt, endpoints, isComplete: endpoints < PART_PAGE.counted });
  }
  return counts;
}

/** What the run that is shown has of it. */
export function countOf(runId: string, counts: readonly RunCount[]): RunCount | null {
  return counts.find((count) => count.runId === runId) ?? null;
}
