import { CRAWL_PAGE_SIZE } from '../../../core/limits.ts';
import { decodeBase64 } from '../../../core/log/base64.ts';
import { type Hash, isHash } from '../../../core/log/tree-hash.ts';
import type { CrawlPosition } from '../../../core/receipt/crawl-run.ts';
import { statementSha256 } from '../../../core/statement/statement-hash.ts';
import { type Withdrawal, withdrawalStub } from '../../../core/statement/withdrawal-stub.ts';
import type { LogReader } from '../../../ports/log/transparency-log.ts';
import { startOf } from '../crawl/run-pages.ts';
import { inOrder } from '../crawl/run-queries.ts';
import type { Queries } from '../engine/tables.ts';
import { withdrawalOf } from '../receipts/withdrawal-row.ts';

/**
 * The tree of a run follows from its rows. The row of a withdrawn receipt is deleted, and its place and its hash are kept: the
 * other rows stay where they were.
 */
export function runRows(
  database: Queries,
): Pick<LogReader, 'placeInRun' | 'runEntries' | 'runStatement' | 'runStatements'> {
  return {
    async placeInRun(id) {
      const row = await database
        .selectFrom('crawl_receipts')
        .innerJoin('crawl_runs', 'crawl_runs.id', 'crawl_receipts.run_id')
        .select(['crawl_receipts.run_id as runId', 'crawl_receipts.url', 'crawl_receipts.id'])
        .where('crawl_receipts.id', '=', id)
        .where('crawl_runs.statement', 'is not', null)
        .executeTakeFirst();
      return row === undefined
        ? withdrawnPlace(database, id)
        : { runId: row.runId, index: await indexInRun(database, row) };
    },
    async runEntries(runId, from, count) {
      const rows = await rowsOf(database, { runId, from, to: from + count });
      return rows.map((row) => ('body' in row ? statementSha256(row.body) : storedHash(row.sha256)));
    },
    async runStatements(runId, from, count) {
      const rows = await rowsOf(database, { runId, from, to: from + count });
      return rows.map((row) => ('body' in row ? row.body : JSON.stringify(withdrawalStub(row))));
    },
    runStatement: (runId) => statementOf(database, runId),
  };
}

async function statementOf(database: Queries, runId: string): Promise<string | null> {
  const row = await database
    .selectFrom('crawl_runs')
    .select('statement')
    .where('id', '=', runId)
    .executeTakeFirst();
  return row?.statement ?? null;
}

async function withdrawnPlace(database: Queries, id: string) {
  const row = await database
    .selectFrom('withdrawals')
    .select(['run_id', 'seq'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.run_id === null || row.seq === null) return null;
  return { runId: row.run_id, index: row.seq };
}

export interface RowOfRun extends CrawlPosition {
  readonly runId: string;
}

/** The rows before it on its page, and the withdrawn ones among them. */
export async function indexInRun(database: Queries, { runId, url, id }: RowOfRun): Promise<number> {
  const start = await database
    .selectFrom('crawl_pages')
    .select(['page', 'after_url as url', 'after_id as id'])
    .where('run_id', '=', runId)
    .where('listing', '=', 'all')
    .where(({ eb, refTuple, tuple }) => eb(refTuple('after_url', 'after_id'), '<', tuple(url, id)))
    .orderBy('page', 'desc')
    .limit(1)
    .executeTakeFirst();
  const first = ((start?.page ?? 1) - 1) * CRAWL_PAGE_SIZE;
  const page = { runId, from: first, to: first + CRAWL_PAGE_SIZE };
  return besideWithdrawn(database, page, async (withdrawn) => {
    const { before } = await inOrder(database, { runId, after: start ?? null, limit: 1 })
      .clearOrderBy()
      .select(({ fn }) => fn.countAll<number>().as('before'))
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('crawl_receipts.url', 'crawl_receipts.id'), '<', tuple(url, id)),
      )
      .executeTakeFirstOrThrow();
    let index = first + Number(before);
    for (const gone of withdrawn.keys()) if (gone <= index) index += 1;
    return index;
  });
}

interface Range {
  readonly runId: string;
  readonly from: number;
  readonly to: number;
}

/** By place, in order. */
type Withdrawn = ReadonlyMap<number, Withdrawal>;

const ATTEMPTS = 5;

/**
 * Reads rows beside the withdrawn ones of the same range. A withdrawal between two queries would shift the rows, and what is
 * read here may be cached for ever; withdrawals only become more, so an equal number means the same ones.
 */
async function besideWithdrawn<T>(
  database: Queries,
  range: Range,
  read: (withdrawn: Withdrawn) => Promise<T>,
): Promise<T> {
  let before = await withdrawnIn(database, range);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await read(before);
    const after = await withdrawnIn(database, range);
    if (after.size === before.size) return found;
    before = after;
  }
  throw new Error(`receipts of run ${range.runId} are being withdrawn all the time`);
}

async function withdrawnIn(database: Queries, { runId, from, to }: Range): Promise<Withdrawn> {
  const rows = await database
    .selectFrom('withdrawals')
    .selectAll()
    .where('run_id', '=', runId)
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .orderBy('seq')
    .execute();
  return new Map(rows.map((row) => [Number(row.seq), withdrawalOf(row)]));
}

function storedHash(encoded: string): Hash {
  const hash = decodeBase64(encoded);
  if (hash === null || !isHash(hash)) throw new Error('the hash of a withdrawn receipt cannot be read');
  return hash;
}

/** A row, or what is left of one that was withdrawn. */
type RunRow = { readonly body: string } | Withdrawal;

/** In order, fewer at the end of the run; none of a run without a tree. */
async function rowsOf(database: Queries, { runId, from, to }: Range): Promise<readonly RunRow[]> {
  if (to <= from || (await statementOf(database, runId)) === null) return [];
  const page = Math.floor(from / CRAWL_PAGE_SIZE) + 1;
  const after = await startOf(database, { runId, listing: 'all', page });
  if (after === 'no such page') return [];
  const first = (page - 1) * CRAWL_PAGE_SIZE;
  return besideWithdrawn(database, { runId, from: first, to }, async (withdrawn) => {
    const gone = [...withdrawn.keys()].filter((index) => index < from).length;
    const rows = await inOrder(database, { runId, after, limit: to - from - (withdrawn.size - gone) })
      .select('crawl_receipts.body')
      .offset(from - first - gone)
      .execute();
    return merged({ from, to }, withdrawn, rows);
  });
}

/** From `from` to before `to`, or to the end of the run. */
function merged(
  { from, to }: Pick<Range, 'from' | 'to'>,
  withdrawn: Withdrawn,
  rows: readonly { readonly body: string }[],
): readonly RunRow[] {
  const left = rows.values();
  const all: RunRow[] = [];
  for (let index = from; index < to; index += 1) {
    const row = withdrawn.get(index) ?? left.next().value;
    if (row === undefined) break;
    all.push(row);
  }
  return all;
}
