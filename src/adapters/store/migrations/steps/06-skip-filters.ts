import { sql } from 'kysely';
import { type Database, type Engine, orderedText } from '../step.ts';

export async function skipFilters(database: Database, engine: Engine): Promise<void> {
  const { schema } = database;
  const text = orderedText(engine);
  for (const name of ['code', 'source_list', 'host']) {
    await schema
      .alterTable('crawl_receipts')
      .addColumn(name, text, (column) => column.notNull().defaultTo(''))
      .execute();
  }
  await schema.alterTable('crawl_receipts').addColumn('network', text).execute();
  await schema.alterTable('crawl_receipts').addColumn('gap_rank', 'bigint').execute();
  await fillIn(database);
  await indexSkips(schema);
}

const ROWS_AT_ONCE = 500;

/** Only skips of the latest run: no other row is ever filtered, and a start must not take minutes. */
async function fillIn(database: Database): Promise<void> {
  const { rows: runs } = await sql<{ id: string }>`
    select id from crawl_runs where crawled_at is not null order by crawled_at desc, id desc limit 1
  `.execute(database);
  const [latest] = runs;
  if (latest === undefined) return;
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; body: string }>`
      select id, body from crawl_receipts
      where run_id = ${latest.id} and verdict = 'skip' and id > ${after}
      order by id limit ${ROWS_AT_ONCE}`.execute(database);
    for (const { id, body } of rows) {
      const receipt: StoredReceipt = JSON.parse(body);
      await sql`
        update crawl_receipts
        set code = ${receipt.code}, source_list = ${indexed(receipt.sourceList)},
          network = ${receipt.network ?? receipt.listedNetwork}, host = ${indexed(hostOf(receipt.url))},
          gap_rank = ${gapRank(receipt)}
        where id = ${id}`.execute(database);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** A receipt as the releases before this step stored it, in part. */
interface StoredReceipt {
  readonly url: string;
  readonly claimedPrice: string | null;
  readonly quotedPrice: string | null;
  readonly code: string;
  readonly sourceList: string;
  readonly network: string | null;
  readonly listedNetwork: string | null;
}

/** PostgreSQL limits an index row to 2,704 bytes, and the URL is part of it. */
function indexed(text: string): string {
  return text.length > 255 ? '' : text;
}

function hostOf(url: string): string {
  const [authority = ''] = url.slice(url.indexOf('//') + 2).split(/[/?#]/, 1);
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:[0-9]*$/, '')
    .toLowerCase();
}

/** The negated price gap, so that the widest sorts first. */
function gapRank({ code, claimedPrice, quotedPrice }: StoredReceipt): number | null {
  if (code !== 'price_mismatch' || claimedPrice === null || quotedPrice === null) return null;
  const rank = -Math.abs(Number(BigInt(quotedPrice) - BigInt(claimedPrice)));
  return Math.max(rank, Number.MIN_SAFE_INTEGER);
}

/** Partial indexes: only skips are filtered. */
async function indexSkips(schema: Database['schema']): Promise<void> {
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
