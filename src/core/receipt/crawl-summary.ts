import { CRAWL_PAGE_SIZE } from '../limits.ts';
import { isMismatch, isSetAside } from '../verdict/skip-codes.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { type RunFacets, startFacets } from './crawl-facets.ts';
import type { CrawlReceipt } from './crawl-receipt.ts';
import { priceGap } from './price-gap.ts';

/** The totals of one run (gap G91). */
export interface CrawlSummary {
  /** Distinct normalised URLs; the run has one receipt for each. */
  readonly endpointsCovered: number;
  /** Of these, the URLs that were not in the previous run (gap G73). */
  readonly newThisWeek: number;
  readonly verdicts: Readonly<Record<Verdict['verdict'], number>>;
  /** Of the skips, those that want input first: they are set aside (gap G100). */
  readonly needsInput: number;
  /** Each URL once, under the list that won it. */
  readonly lists: ReadonlyMap<string, number>;
  /** Each URL under every list it is on. */
  readonly listedIn: ReadonlyMap<string, number>;
  readonly featuredId: string | null;
  readonly skipPages: number;
  readonly receiptPages: number;
  /** Null in runs published before these counts existed. */
  readonly facets: RunFacets | null;
}

export interface SummaryRow {
  readonly receipt: CrawlReceipt;
  /** The run before lacks the URL. */
  readonly isNew: boolean;
  /** The run before has the URL as a skip that was not set aside. */
  readonly wasSkip: boolean;
}

/** Accumulates the totals of a run from its rows in published order; keeps only counts, for a run may have a million rows. */
export interface RunningSummary {
  add(row: SummaryRow): void;
  total(): CrawlSummary;
}

export function startSummary(): RunningSummary {
  const verdicts = { pay: 0, skip: 0, recheck: 0 };
  const lists = new Map<string, number>();
  const listedIn = new Map<string, number>();
  const counts = { endpointsCovered: 0, newThisWeek: 0, needsInput: 0 };
  const facets = startFacets();
  let featured: CrawlReceipt | null = null;
  return {
    add({ receipt, isNew, wasSkip }) {
      facets.add(receipt, wasSkip);
      counts.endpointsCovered += 1;
      counts.newThisWeek += isNew ? 1 : 0;
      counts.needsInput += isSetAside(receipt.code) ? 1 : 0;
      verdicts[receipt.verdict] += 1;
      count(lists, receipt.sourceList);
      for (const list of receipt.listedIn) count(listedIn, list);
      const isSkip = receipt.verdict === 'skip' && !isSetAside(receipt.code);
      if (isSkip && (featured === null || tellsMore(receipt, featured))) featured = receipt;
    },
    total: () => ({
      ...counts,
      verdicts: { ...verdicts },
      lists,
      listedIn,
      featuredId: featured === null ? null : featured.id,
      skipPages: pageCount(verdicts.skip),
      receiptPages: pageCount(counts.endpointsCovered),
      facets: facets.total(),
    }),
  };
}

export function summarizeRows(rows: Iterable<SummaryRow>): CrawlSummary {
  const summary = startSummary();
  for (const row of rows) summary.add(row);
  return summary.total();
}

/** An empty listing still has its first page. */
export function pageCount(rows: number): number {
  return Math.max(1, Math.ceil(rows / CRAWL_PAGE_SIZE));
}

/** The skip with the largest price difference, else the first mismatch, else the first skip (gap G91). */
function tellsMore(candidate: CrawlReceipt, featured: CrawlReceipt): boolean {
  const gap = priceGap(candidate);
  const featuredGap = priceGap(featured);
  if (gap !== null) return featuredGap === null || gap > featuredGap;
  return featuredGap === null && isMismatch(candidate.code) && !isMismatch(featured.code);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
