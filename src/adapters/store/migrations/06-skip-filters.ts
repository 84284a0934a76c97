import { sql } from 'kysely';
import { decodeCrawlReceipt } from '../crawl/crawl-codec.ts';
import { skipColumns } from '../crawl/skip-columns.ts';
import type { Engine, Queries } from '../engine/tables.ts';

export async function skipFilters(queries: Queries, engine: Engine): Promise<void> {
  // SQLite orders text by its bytes; PostgreSQL does so only when it is told, whatever its locale.
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  for (const name of ['code', 'source_list', 'host']) {
    await queries.schema
      .alterTable('crawl_receipts')
      .addColumn(name, text, (column) => column.notNull().defaultTo(''))
      .execute();
  }
  await queries.schema.alterTable('crawl_receipts').addColumn('network', text).execute();
  await queries.schema.alterTable('crawl_receipts').addColumn('gap_rank', 'bigint').execute();
  await fillIn(queries);
  await indexSkips(queries);
}

const STEP = 500;

/** The skips of the run that is shown: no other row is ever filtered, and a start must not take minutes. */
async function fillIn(queries: Queries): Promise<void> {
  const shown = await queries
    .selectFrom('crawl_runs')
    .select('id')
    .where('crawled_at', 'is not', null)
    .orderBy('crawled_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (shown === undefined) return;
  for (let after = ''; ; ) {
    const rows = await queries
      .selectFrom('crawl_receipts')
      .select(['id', 'body'])
      .where('run_id', '=', shown.id)
      .where('verdict', '=', 'skip')
      .where('id', '>', after)
      .orderBy('id')
      .limit(STEP)
      .execute();
    for (const { id, body } of rows) {
      // By name: columns of a later step are not there yet.
      const { code, source_list, network, host, gap_rank } = skipColumns(decodeCrawlReceipt(body));
      await queries
        .updateTable('crawl_receipts')
        .set({ code, source_list, network, host, gap_rank })
        .where('id', '=', id)
        .execute();
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Only of skips: most receipts of a good week are others, and nobody filters them. */
async function indexSkips({ schema }: Queries): Promise<void> {
  const indexes = [
    ['crawl_skips_by_reason', 'code'],
    ['crawl_skips_by_list', 'source_list'],
    ['crawl_skips_by_network', 'network'],
    ['crawl_skips_by_host', 'host'],
  ] as const;
  for (const [name, column] of indexes) {
    await schema
      .createIndex(name)
      .on('crawl_receipts')
      .columns(['run_id', column, 'url', 'id'])
      .where(sql.ref('verdict'), '=', 'skip')
      .execute();
  }
  await schema
    .createIndex('crawl_skips_by_gap')
    .on('crawl_receipts')
    .columns(['run_id', 'gap_rank', 'url', 'id'])
    .where(sql.ref('verdict'), '=', 'skip')
    .where(sql.ref('gap_rank'), 'is not', null)
    .execute();
}
