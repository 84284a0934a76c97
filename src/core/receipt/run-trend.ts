import { isMismatch } from '../verdict/skip-codes.ts';
import type { CrawlRun } from './crawl-run.ts';
import { SKIP_REASONS } from './skip-groups.ts';

export interface TrendPoint {
  readonly crawledAt: Date;
  readonly covered: number;
  /** Without those that are set aside. */
  readonly skips: number;
  /** Of the skips, those that ask for something else than listed; null unless every run has counted them. */
  readonly mismatches: number | null;
}

/** Published runs, given newest first, as points of a chart, oldest first. */
export function runTrend(newestFirst: readonly CrawlRun[]): readonly TrendPoint[] {
  const runs = newestFirst.filter(({ summary }) => summary.endpointsCovered > 0).toReversed();
  const allCounted = runs.every(({ summary }) => summary.facets !== null);
  return runs.map(({ crawledAt, summary: { endpointsCovered, verdicts, needsInput, facets } }) => ({
    crawledAt,
    covered: endpointsCovered,
    skips: verdicts.skip - needsInput,
    mismatches: allCounted && facets !== null ? mismatchesIn(facets.reasons) : null,
  }));
}

export function mismatchesIn(reasons: ReadonlyMap<string, number>): number {
  return SKIP_REASONS.filter(isMismatch).reduce((sum, code) => sum + (reasons.get(code) ?? 0), 0);
}
