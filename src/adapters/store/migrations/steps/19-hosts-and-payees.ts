import { sql } from 'kysely';
import { type Database, type Engine, orderedText } from '../step.ts';

/** Rows of a run by host and by payee, whatever their verdict. */
export async function hostsAndPayees(database: Database, engine: Engine): Promise<void> {
  const { schema } = database;
  for (const name of ['payee', 'replaced_payee']) {
    await schema.alterTable('crawl_receipts').addColumn(name, orderedText(engine)).execute();
  }
  await schema.alterTable('crawl_receipts').addColumn('set_aside', 'integer').execute();
  await fillIn(database);
  await indexRows(schema);
}

const ROWS_AT_ONCE = 500;

/** Only the latest run: a start must not take minutes. */
async function fillIn(database: Database): Promise<void> {
  const { rows: runs } = await sql<{ id: string }>`
    select id from crawl_runs where crawled_at is not null order by crawled_at desc, id desc limit 1
  `.execute(database);
  const [latest] = runs;
  if (latest === undefined) return;
  for (let after = { url: '', id: '' }; ; ) {
    const { rows } = await sql<StoredRow>`
      select url, id, host, body from crawl_receipts
      where run_id = ${latest.id} and (url, id) > (${after.url}, ${after.id})
      order by url, id limit ${ROWS_AT_ONCE}`.execute(database);
    const last = rows.at(-1);
    if (last === undefined) return;
    const values = rows.map((row) => {
      const { payee, replaced } = payeesOf(JSON.parse(row.body));
      const host = row.host === '' ? indexed(hostOf(row.url)) : row.host;
      return sql`(${row.id}, ${host}, ${payee}, ${replaced})`;
    });
    await sql`
      with filled (id, host, payee, replaced_payee) AS (values ${sql.join(values)})
      update crawl_receipts
      set host = filled.host, payee = filled.payee, replaced_payee = filled.replaced_payee,
        set_aside = case when code = 'needs_input' then 1 end
      from filled where crawl_receipts.id = filled.id`.execute(database);
    after = last;
  }
}

interface StoredRow {
  readonly url: string;
  readonly id: string;
  readonly host: string;
  readonly body: string;
}

/** A receipt in part: as a statement, or as the releases before there were statements stored it. */
interface StoredReceipt {
  readonly assay?: string;
  readonly expected?: { readonly pay_to?: string };
  readonly quoted?: { readonly pay_to?: string };
  readonly payTo?: string | null;
  readonly listedPayTo?: string | null;
}

function payeesOf(receipt: StoredReceipt): { payee: string | null; replaced: string | null } {
  const isStatement = receipt.assay !== undefined;
  const payee = keyOf(isStatement ? receipt.quoted?.pay_to : receipt.payTo);
  const listed = keyOf(isStatement ? receipt.expected?.pay_to : receipt.listedPayTo);
  return { payee, replaced: payee === null || payee === listed ? null : listed };
}

function keyOf(address: string | null | undefined): string | null {
  if (address == null) return null;
  if (/^0x[0-9a-fA-F]{40}$/.test(address)) return address.toLowerCase();
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address) ? address : null;
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

/** With what is counted, so that counting reads no row. The code would make them cover filtered skips, which have their own. */
async function indexRows(schema: Database['schema']): Promise<void> {
  await schema
    .createIndex('crawl_receipts_by_host')
    .on('crawl_receipts')
    .columns(['run_id', 'host', 'url', 'id', 'verdict', 'set_aside', 'payee'])
    .execute();
  await schema
    .createIndex('crawl_receipts_by_payee')
    .on('crawl_receipts')
    .columns(['run_id', 'payee', 'url', 'id', 'verdict', 'set_aside', 'host'])
    .where(sql.ref('payee'), 'is not', null)
    .execute();
  await schema
    .createIndex('crawl_receipts_by_replaced_payee')
    .on('crawl_receipts')
    .columns(['run_id', 'replaced_payee', 'url', 'id', 'verdict', 'set_aside', 'host'])
    .where(sql.ref('replaced_payee'), 'is not', null)
    .execute();
}
