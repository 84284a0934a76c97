import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { CRAWL_PAGE_SIZE } from '../../../core/limits.ts';
import { pageCount } from '../../../core/receipt/crawl-summary.ts';
import { SKIP_FACETS, type SkipFacet } from '../../../core/receipt/skip-filter.ts';
import type { PublishedRuns, SkipPosition, SkipQuery } from '../../../ports/crawl-runs.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import { type CrawlColumns, decodeCrawlReceipt } from './crawl-codec.ts';
import { isPublished } from './run-queries.ts';

/** Rows to scan before yielding to the event loop: SQLite runs in this process. */
const SLICE_ROWS = 2_000;

/** Filtered skips of a published run. */
export function skipViews(database: Queries, dialect: Dialect): Pick<PublishedRuns, 'countSkips' | 'skips'> {
  return {
    async countSkips(runId, wanted) {
      const starts: SkipPosition[] = [];
      let matches = 0;
      if (!(await isPublished(database, runId))) return { matches, starts };
      for (let after: SkipPosition | null = null; ; ) {
        const end = await endOfSlice(database, runId, wanted, after);
        const found = await matchesIn({ database, dialect, runId, wanted, after, end, before: matches });
        matches = found.matches;
        starts.push(...found.starts);
        if (end === null) break;
        after = end;
        await nextTurn();
      }
      // The row that fills the last page starts no other page.
      return { matches, starts: starts.slice(0, pageCount(matches) - 1) };
    },
    async skips(runId, wanted, { after, limit }) {
      if (!(await isPublished(database, runId))) return [];
      const found: CrawlColumns[] = [];
      for (let from = after; ; ) {
        const end = await endOfSlice(database, runId, wanted, from);
        const rows = walk(database, runId, wanted, from);
        const slice = end === null ? rows : upTo(rows, wanted, end);
        const passed = passing(slice, wanted, dialect).select(['body', 'beside']);
        found.push(...(await passed.limit(limit - found.length).execute()));
        if (end === null || found.length >= limit) break;
        from = end;
        await nextTurn();
      }
      return found.map(decodeCrawlReceipt);
    },
  };
}

const COLUMN_OF = { host: 'host', reason: 'code', network: 'network', list: 'source_list' } as const;

/** The rows that one index finds, in its order. */
function walk(database: Queries, runId: string, { filter, lead }: SkipQuery, after: SkipPosition | null) {
  // A literal and not a parameter: only then an engine uses its partial indexes.
  const skips = database
    .selectFrom('crawl_receipts')
    .where('run_id', '=', runId)
    .where('verdict', '=', sql.lit('skip'));
  if (filter.sort === 'price_gap') {
    const ordered = skips.where('gap_rank', 'is not', null).orderBy('gap_rank').orderBy('url').orderBy('id');
    if (after === null) return ordered;
    return ordered.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('gap_rank', 'url', 'id'), '>', tuple(after.gap, after.url, after.id)),
    );
  }
  const led = lead === null ? skips : skips.where(COLUMN_OF[lead], '=', filter[lead]);
  const ordered = led.orderBy('url').orderBy('id');
  if (after === null) return ordered;
  return ordered.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('url', 'id'), '>', tuple(after.url, after.id)),
  );
}

type Walk = ReturnType<typeof walk>;

/** Applies the members of the filter that the index does not cover. */
function passing(rows: Walk, { filter, lead }: SkipQuery, dialect: Dialect): Walk {
  const byIndex: SkipFacet | null = filter.sort === 'price_gap' ? null : lead;
  let left = rows;
  for (const facet of SKIP_FACETS) {
    const value = filter[facet];
    if (value === null || facet === byIndex) continue;
    // An expression, so that the planner cannot choose the index of this column instead.
    left = left.where(sql<boolean>`(${sql.ref(COLUMN_OF[facet])} || '') = ${value}`);
  }
  if (filter.search === null) return left;
  return left.where(dialect.contains(sql`lower(url)`, filter.search));
}

/** The gap only when sorting by it: other indexes do not contain it, and reading the row is expensive. */
function positions({ filter }: SkipQuery) {
  const gap = filter.sort === 'price_gap' ? sql<number>`gap_rank` : sql<number>`0`;
  return ['url', 'id', gap.as('gap')] as const;
}

/** The last row of a full slice; null when fewer rows are left. */
async function endOfSlice(
  database: Queries,
  runId: string,
  wanted: SkipQuery,
  after: SkipPosition | null,
): Promise<SkipPosition | null> {
  const row = await walk(database, runId, wanted, after)
    .select(positions(wanted))
    .offset(SLICE_ROWS - 1)
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

interface Slice {
  readonly database: Queries;
  readonly dialect: Dialect;
  readonly runId: string;
  readonly wanted: SkipQuery;
  readonly after: SkipPosition | null;
  readonly end: SkipPosition | null;
  /** Matches in earlier slices. */
  readonly before: number;
}

/** The matches up to the end of this slice, and the rows in it that fill a page. */
async function matchesIn({ database, dialect, runId, wanted, after, end, before }: Slice) {
  const rows = walk(database, runId, wanted, after);
  const slice = end === null ? rows : upTo(rows, wanted, end);
  const matched = passing(slice, wanted, dialect).clearOrderBy();
  const { total } = await matched
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const matches = before + Number(total);
  if (pagesFilled(matches) === pagesFilled(before)) return { matches, starts: [] };
  const order = wanted.filter.sort === 'price_gap' ? sql`gap_rank, url, id` : sql`url, id`;
  const n = sql<number>`${before} + row_number() over (order by ${order})`;
  const full = await database
    .selectFrom(matched.select([...positions(wanted), n.as('n')]).as('matched'))
    .select(['url', 'id', 'gap', 'n'])
    .where(sql<boolean>`n % ${sql.lit(CRAWL_PAGE_SIZE)} = 0`)
    .execute();
  const starts = full.toSorted((left, right) => Number(left.n) - Number(right.n));
  return { matches, starts: starts.map(({ gap, url, id }) => ({ gap: Number(gap), url, id })) };
}

function pagesFilled(rows: number): number {
  return Math.floor(rows / CRAWL_PAGE_SIZE);
}

function upTo(rows: Walk, { filter }: SkipQuery, end: SkipPosition): Walk {
  return rows.where(({ eb, refTuple, tuple }) =>
    filter.sort === 'price_gap'
      ? eb(refTuple('gap_rank', 'url', 'id'), '<=', tuple(end.gap, end.url, end.id))
      : eb(refTuple('url', 'id'), '<=', tuple(end.url, end.id)),
  );
}
