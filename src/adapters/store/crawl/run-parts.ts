import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PublishedRuns, RunPart, ShareLimits } from '../../../ports/crawl-runs.ts';
import type { Queries } from '../engine/tables.ts';
import { decodeCrawlReceipt } from './crawl-codec.ts';
import { isPublished, newestFirst } from './run-queries.ts';

type RunParts = Pick<PublishedRuns, 'partRows' | 'countPart' | 'sharesOf' | 'countableRuns'>;

/** Hosts and payees of published runs. Each part has an index with all that is counted. */
export function runParts(database: Queries): RunParts {
  return {
    async partRows(runId, part, limit) {
      if (!(await isPublished(database, runId))) return [];
      const rows = await firstRows(database, runId, part, limit)
        .select(['url_key', 'body', 'beside'])
        .execute();
      return rows.map(({ url_key, ...columns }) => ({
        urlKey: url_key,
        receipt: decodeCrawlReceipt(columns),
      }));
    },
    async countPart(runId, part, limit) {
      if (!(await isPublished(database, runId))) return NOTHING;
      const counted = await countRows(database, runId, part, limit);
      // SQLite runs in this process, and the next run is counted at once.
      await nextTurn();
      return counted;
    },
    async sharesOf(runId, part, limits) {
      return (await isPublished(database, runId)) ? sharesIn(database, runId, part, limits) : [];
    },
    countableRuns: (limit) => countableRuns(database, limit),
  };
}

const NOTHING = { pay: 0, skip: 0, recheck: 0, needsInput: 0 };

async function countRows(database: Queries, runId: string, part: RunPart, limit: number) {
  const { pay, skip, recheck, needsInput } = await database
    .selectFrom(firstRows(database, runId, part, limit).select(['verdict', 'set_aside']).as('matched'))
    .select([
      rowsWith(sql`verdict = 'pay'`).as('pay'),
      rowsWith(sql`verdict = 'skip'`).as('skip'),
      rowsWith(sql`verdict = 'recheck'`).as('recheck'),
      rowsWith(sql`set_aside = 1`).as('needsInput'),
    ])
    .executeTakeFirstOrThrow();
  return { pay: Number(pay), skip: Number(skip), recheck: Number(recheck), needsInput: Number(needsInput) };
}

function rowsWith(condition: ReturnType<typeof sql>) {
  return sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
}

async function sharesIn(database: Queries, runId: string, part: RunPart, limits: ShareLimits) {
  const name = sql.ref<string>(part.by === 'host' ? 'payee' : 'host');
  const rows = await database
    .selectFrom(firstRows(database, runId, part, limits.rows).select(name.as('name')).as('matched'))
    .select(['name', ({ fn }) => fn.countAll<number>().as('endpoints')])
    .where('name', '>', '')
    .groupBy('name')
    .orderBy('endpoints', 'desc')
    .orderBy('name')
    .limit(limits.shares)
    .execute();
  return rows.map((row) => ({ name: row.name, endpoints: Number(row.endpoints) }));
}

async function countableRuns(database: Queries, limit: number) {
  const rows = await newestFirst(database)
    .select(['id', 'crawled_at'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('crawl_receipts')
          .select('crawl_receipts.id')
          .whereRef('crawl_receipts.run_id', '=', 'crawl_runs.id')
          .where('crawl_receipts.payee', '>', ''),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map(({ id, crawled_at }) => ({ id, crawledAt: new Date(Number(crawled_at)) }));
}

/** In the order of the index of this part. */
function firstRows(database: Queries, runId: string, { by, value }: RunPart, limit: number) {
  return database
    .selectFrom('crawl_receipts')
    .where('run_id', '=', runId)
    .where(by, '=', value)
    .orderBy('url')
    .orderBy('id')
    .limit(limit);
}
