import { describe, expect, it } from 'vitest';
import { aRun } from '../../../tools/samples/crawl-rows.ts';
import type { CrawlRun } from './crawl-run.ts';
import { runTrend } from './run-trend.ts';

/** A run with these totals, so many milliseconds after noon; without reasons it is of an older release. */
function counted(
  madeAt: number,
  skip: number,
  needsInput: number,
  reasons?: Record<string, number>,
): CrawlRun {
  const run = aRun(`run-${madeAt}`, madeAt);
  const facets = run.summary.facets;
  return {
    ...run,
    summary: {
      ...run.summary,
      endpointsCovered: 40,
      verdicts: { pay: 40 - skip, skip, recheck: 0 },
      needsInput,
      facets:
        reasons === undefined || facets === null
          ? null
          : { ...facets, reasons: new Map(Object.entries(reasons)) },
    },
  };
}

describe('the trend over runs', () => {
  it('counts skips without those that are set aside, oldest run first', () => {
    const newer = counted(2, 9, 2, {
      pay_to_mismatch: 1,
      price_mismatch: 2,
      network_mismatch: 3,
      no_paywall: 1,
    });
    const older = counted(1, 4, 0, { no_paywall: 4 });
    expect(runTrend([newer, older])).toEqual([
      { crawledAt: older.crawledAt, covered: 40, skips: 4, mismatches: 0 },
      { crawledAt: newer.crawledAt, covered: 40, skips: 7, mismatches: 6 },
    ]);
  });

  it('has no mismatches where one of the runs has none counted: a gap would read as none found', () => {
    const points = runTrend([counted(2, 9, 0, { price_mismatch: 2 }), counted(1, 4, 0)]);
    expect(points.map(({ skips, mismatches }) => [skips, mismatches])).toEqual([
      [4, null],
      [9, null],
    ]);
  });

  it('leaves out a run that covered nothing: it has no share', () => {
    const empty = counted(1, 0, 0, {});
    const run = { ...empty, summary: { ...empty.summary, endpointsCovered: 0 } };
    expect(runTrend([run])).toEqual([]);
  });
});
