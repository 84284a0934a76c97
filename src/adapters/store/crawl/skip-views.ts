import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { CRAWL_PAGE_SIZE } from '../../../core/limits.ts';
import { pageCount } from '../../../core/receipt/crawl-summary.ts';
import { SKIP_FACETS, type SkipFacet } from '../../../core/receipt/skip-filter.ts';
import type { PublishedRuns, SkipPosition, SkipQuery } from '../../../ports/crawl-runs.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import { decodeCrawlReceipt } from './crawl-codec.ts';

/** How many rows are looked at before others have their turn: SQLite answers within the process. */
const SLICE_ROWS = 2_000;

/** Skips of a published run by a filter. */
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
      // A row that fills the last page starts no other one.
      return { matches, starts: starts.slice(0, pageCount(matches) - 1) };
    },
    async skips(runId, wanted, { after, limit }) {
      if (!(await isPublished(database, runId))) return [];
      const bodies: string[] = [];
      for (let from = after; ; ) {
        const end = await endOfSlice(database, runId, wanted, from);
        const rows = walk(database, runId, wanted, from);
        const slice = end === null ? rows : upTo(rows, wanted, end);
        const found = passing(slice, wanted, dialect).select('body');
        for (const { body } of await found.limit(limit - bodies.length).execute()) bodies.push(body);
        if (end === null || bodies.length >= limit) break;
        from = end;
        await nextTurn();
      }
      return bodies.map(decodeCrawlReceipt);
    },
  };
}

export async function isPublished(database: Queries, runId: string): Promise<boolean> {
  const run = await database
    .selectFrom('crawl_runs')
    .select('crawled_at')
    .where('id', '=', runId)
    .executeTakeFirst();
  return run !== undefined && run.crawled_at !== null;
}

const COLUMN_OF = { host: 'host', reason: 'code', network: 'network', list: 'source_list' } as const;

/** The rows that an index finds, in the order of that index. */
function walk(database: Queries, runId: string, { filter, lead }: SkipQuery, after: SkipPosition | null) {
  // Spelled out and not bound: an engine must see that the conditions of its partial indexes hold.
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

/** What is left of them after the members of the filter that the index does not know. */
function passing(rows: Walk, { filter, lead }: SkipQuery, dialect: Dialect): Walk {
  const byIndex: SkipFacet | null = filter.sort === 'price_gap' ? null : lead;
  let left = rows;
  for (const facet of SKIP_FACETS) {
    const value = filter[facet];
    if (value === null || facet === byIndex) continue;
    // Not the bare column: its own index would bring rows in this order too, and without statistics it looks as good.
    left = left.where(sql<boolean>`(${sql.ref(COLUMN_OF[facet])} || '') = ${value}`);
  }
  if (filter.search === null) return left;
  return left.where(dialect.contains(sql`lower(url)`, filter.search));
}

/** The gap only where the order goes by it: no other index has it, and the row itself is far away. */
function positions({ filter }: SkipQuery) {
  const gap = filter.sort === 'price_gap' ? sql<number>`gap_rank` : sql<number>`0`;
  return ['url', 'id', gap.as('gap')] as const;
}

/** The last row of a full slice; null when the rows end before. */
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
  /** How many rows passed in the slices before. */
  readonly before: number;
}

/** How many rows have passed with this slice, and which of them fill a page. */
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
