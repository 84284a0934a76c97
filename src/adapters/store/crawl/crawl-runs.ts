import { sql } from 'kysely';
import { inBatches } from '../../../core/concurrency/in-batches.ts';
import { UNANSWERED } from '../../../core/crawl/hold-run.ts';
import type { CrawlListing } from '../../../core/receipt/crawl-run.ts';
import type { CrawlRow, CrawlRunStore, PageStarts } from '../../../ports/crawl-runs.ts';
import type { Dialect } from '../engine/dialect.ts';
import { forgetOldest } from '../engine/forget-oldest.ts';
import { insertRows } from '../engine/insert-rows.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import type { EntryStatements } from '../log/log-rows.ts';
import { keepLoggedRun, keepTilesBelow } from '../log/logged-run.ts';
import { decodeCrawlReceipt, encodeCrawlReceipt, encodeCrawlRun } from './crawl-codec.ts';
import { dateBack } from './date-back.ts';
import { partColumns } from './part-columns.ts';
import { publishedRuns } from './published-runs.ts';
import { inOrder, latestRun } from './run-queries.ts';
import { skipColumns } from './skip-columns.ts';

/** Bounds the parameters of a statement, and how long other writers wait for a batch. */
export const BATCH_ROWS = 200;

export function sqlCrawlRuns(
  database: Queries,
  writes: Writes,
  dialect: Dialect,
  entries: EntryStatements,
): CrawlRunStore {
  return {
    ...publishedRuns(database, dialect),
    async begin(runId, startedAt) {
      await writes.one((queries) =>
        queries
          .insertInto('crawl_runs')
          .values({ id: runId, started_at: startedAt.getTime() })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute(),
      );
    },
    async add(runId, rows) {
      const refused: CrawlRow[] = [];
      // One transaction per batch. Rows left by a crash are replaced by the next attempt.
      for (const batch of rows.length === 0 ? [[]] : inBatches(rows, BATCH_ROWS)) {
        refused.push(...(await writes.unit((queries) => addBatch(queries, dialect, runId, batch))));
      }
      return refused;
    },
    async rows(runId, after, limit) {
      const rows = await inOrder(database, { runId, after, limit })
        .select(({ selectFrom }) => [
          'crawl_receipts.body',
          'crawl_receipts.beside',
          selectFrom('crawl_receipts as known')
            .select(sql<number>`${WAS_SKIP} + ${WAS_HEARD}`.as('was'))
            .whereRef('known.url_key', '=', 'crawl_receipts.url_key')
            .where('known.run_id', '=', latestRun(database).select('id'))
            .as('before'),
        ])
        .execute();
      return rows.map(({ before, ...columns }) => {
        const receipt = decodeCrawlReceipt(columns);
        // Only a statement says what the verdict is based on.
        const statement = receipt.basis === undefined ? null : columns.body;
        const [wasSkip, wasHeard] = [((before ?? 0) & 1) !== 0, ((before ?? 0) & 2) !== 0];
        return { receipt, statement, isNew: before === null, wasSkip, wasHeard };
      });
    },
    async publish(run, pageStarts, logged = null) {
      const body = encodeCrawlRun(run);
      const pages = pageRows(run.id, pageStarts);
      await writes.unit(async (queries) => {
        await requireUnpublished(queries, dialect, run.id);
        await dateBack(queries, run.crawledAt);
        for (const batch of inBatches(pages, BATCH_ROWS)) {
          await queries.insertInto('crawl_pages').values(batch).execute();
        }
        await queries
          .updateTable('crawl_runs')
          .set({ crawled_at: run.crawledAt.getTime(), body, statement: logged?.statement ?? null })
          .where('id', '=', run.id)
          .execute();
        // An attempt that failed before may have left tiles.
        await keepTilesBelow(queries, run.id, logged?.head.size ?? 0);
        if (logged !== null) await keepLoggedRun(queries, entries, logged);
      });
    },
    discard: (runId, limit) => writes.unit((queries) => discardRows(queries, dialect, runId, limit)),
  };
}

/** Skips that are set aside are new skips once they are found to be such. */
const WAS_SKIP = sql<number>`case when known.verdict = 'skip' and known.code <> 'needs_input' then 1 else 0 end`;
/** Added to WAS_SKIP: one column has both. */
const WAS_HEARD = sql<number>`case when known.code in (${sql.join(UNANSWERED.map((code) => sql.lit(code)))}) then 0 else 2 end`;

/** Locks the run, so that no row is added while it is published. */
async function requireUnpublished(queries: Queries, dialect: Dialect, runId: string): Promise<void> {
  if ((await stateOf(queries, dialect, runId)) === 'unknown') {
    throw new Error(`crawl run ${runId} was never begun`);
  }
}

/** Throws for a published run, which never changes. */
async function stateOf(queries: Queries, dialect: Dialect, runId: string): Promise<'unknown' | 'begun'> {
  const { rows } = await sql<Pick<Tables['crawl_runs'], 'crawled_at'>>`
    select crawled_at from crawl_runs where id = ${runId} ${dialect.forUpdate}`.execute(queries);
  const run = rows[0];
  if (run === undefined) return 'unknown';
  if (run.crawled_at !== null) throw new Error(`crawl run ${runId} is published`);
  return 'begun';
}

/** Adds up to `BATCH_ROWS` rows. Answers those whose id belongs to another receipt (gap G54). */
export async function addBatch(
  queries: Queries,
  dialect: Dialect,
  runId: string,
  batch: readonly CrawlRow[],
): Promise<readonly CrawlRow[]> {
  // Serialised across runs: an id found free must still be free when it is stored.
  await dialect.waitForTurn(queries, 'ids of crawl receipts');
  await requireUnpublished(queries, dialect, runId);
  const { kept, refused } = sortOut(runId, batch, []);
  if (kept.length === 0) return refused;
  const added = await insertRows(queries, dialect, RECEIPTS, rowsOf(runId, kept));
  return added === kept.length ? refused : replaceRows(queries, dialect, runId, batch);
}

const RECEIPTS = {
  table: 'crawl_receipts',
  columns: [
    'id',
    'run_id',
    'url_key',
    'url',
    'verdict',
    'body',
    'code',
    'source_list',
    'network',
    'host',
    'gap_rank',
    'beside',
    'payee',
    'replaced_payee',
    'set_aside',
  ],
  onConflict: 'do nothing',
} as const;

/** For a batch of which some URL or id exists already: after a crash, or by chance. */
async function replaceRows(
  queries: Queries,
  dialect: Dialect,
  runId: string,
  batch: readonly CrawlRow[],
): Promise<readonly CrawlRow[]> {
  const ids = batch.map(({ receipt }) => receipt.id);
  const taken = await queries
    .selectFrom('crawl_receipts')
    .select(['id', 'run_id', 'url_key'])
    .where(dialect.among('id', ids))
    .execute();
  const { kept, refused } = sortOut(runId, batch, taken);
  const urlKeys = kept.map(({ urlKey }) => urlKey);
  await queries
    .deleteFrom('crawl_receipts')
    .where(dialect.among('url_key', urlKeys))
    .where('run_id', '=', runId)
    .execute();
  if (kept.length > 0) await insertRows(queries, dialect, RECEIPTS, rowsOf(runId, kept));
  return refused;
}

/** Keeps the last row of each URL, and refuses those whose id belongs to another receipt (gap G54). */
function sortOut(
  runId: string,
  batch: readonly CrawlRow[],
  taken: readonly Pick<Tables['crawl_receipts'], 'id' | 'run_id' | 'url_key'>[],
): { readonly kept: readonly CrawlRow[]; readonly refused: readonly CrawlRow[] } {
  const owners = new Map(taken.map((row) => [row.id, row.run_id === runId ? row.url_key : null]));
  const kept = new Map<string, CrawlRow>();
  const refused: CrawlRow[] = [];
  for (const row of batch) {
    const owner = owners.get(row.receipt.id);
    if (owner !== undefined && owner !== row.urlKey) {
      refused.push(row);
      continue;
    }
    owners.set(row.receipt.id, row.urlKey);
    kept.set(row.urlKey, row);
  }
  return { kept: [...kept.values()], refused };
}

function rowsOf(runId: string, rows: readonly CrawlRow[]): Tables['crawl_receipts'][] {
  return rows.map(({ urlKey, receipt }) => {
    const { id, url, verdict } = receipt;
    const columns = { ...encodeCrawlReceipt(receipt), ...skipColumns(receipt), ...partColumns(receipt) };
    return { id, run_id: runId, url_key: urlKey, url, verdict, ...columns };
  });
}

/** Page 1 has no row: it starts at the top. */
function pageRows(runId: string, pageStarts: PageStarts): Tables['crawl_pages'][] {
  const listings: readonly CrawlListing[] = ['all', 'skip'];
  return listings.flatMap((listing) =>
    pageStarts[listing].map(({ url, id }, index) => ({
      run_id: runId,
      listing,
      page: index + 2,
      after_url: url,
      after_id: id,
    })),
  );
}

async function discardRows(
  queries: Queries,
  dialect: Dialect,
  runId: string,
  limit: number,
): Promise<number> {
  if ((await stateOf(queries, dialect, runId)) === 'unknown') return 0;
  const discarded = await forgetOldest(queries, dialect, {
    table: 'crawl_receipts',
    key: ['id'],
    where: sql<boolean>`run_id = ${runId}`,
    orderBy: ['url', 'id'],
    limit,
  });
  await keepTilesBelow(queries, runId, 0);
  await queries
    .deleteFrom('crawl_runs')
    .where('id', '=', runId)
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('crawl_receipts').select('id').where('run_id', '=', runId))),
    )
    .execute();
  return discarded;
}
