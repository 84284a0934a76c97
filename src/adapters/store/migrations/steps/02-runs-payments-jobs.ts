import { type Database, type Engine, orderedText } from '../step.ts';

export async function runsPaymentsJobs({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await crawlTables(schema, text);
  await paymentTable(schema, text);
  await paidCallTables(schema, text);
  await schema
    .createTable('jobs')
    .addColumn('name', text, (column) => column.notNull().primaryKey())
    .addColumn('state', text)
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('holder', text)
    .addColumn('held_until', 'bigint')
    .execute();
}

type Schema = Database['schema'];
type Text = ReturnType<typeof orderedText>;

async function crawlTables(schema: Schema, text: Text): Promise<void> {
  await schema
    .createTable('crawl_runs')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('crawled_at', 'bigint')
    .addColumn('body', text)
    .execute();
  await schema
    .createIndex('crawl_runs_by_time')
    .on('crawl_runs')
    .columns(['crawled_at desc', 'id desc'])
    .execute();

  await schema
    .createTable('crawl_receipts')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('run_id', text, (column) => column.notNull().references('crawl_runs.id'))
    .addColumn('url_key', text, (column) => column.notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('verdict', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .execute();
  await schema
    .createIndex('crawl_receipts_by_url')
    .unique()
    .on('crawl_receipts')
    .columns(['url_key', 'run_id'])
    .execute();
  await schema
    .createIndex('crawl_receipts_in_order')
    .on('crawl_receipts')
    .columns(['run_id', 'url', 'id'])
    .execute();
  await schema
    .createIndex('crawl_receipts_by_verdict')
    .on('crawl_receipts')
    .columns(['run_id', 'verdict', 'url', 'id'])
    .execute();

  await schema
    .createTable('crawl_pages')
    .addColumn('run_id', text, (column) => column.notNull().references('crawl_runs.id'))
    .addColumn('listing', text, (column) => column.notNull())
    .addColumn('page', 'bigint', (column) => column.notNull())
    .addColumn('after_url', text, (column) => column.notNull())
    .addColumn('after_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('crawl_pages_pk', ['run_id', 'listing', 'page'])
    .execute();
}

async function paymentTable(schema: Schema, text: Text): Promise<void> {
  await schema
    .createTable('payments')
    .addColumn('key', text, (column) => column.notNull().primaryKey())
    .addColumn('request_key', text, (column) => column.notNull())
    .addColumn('identifier', text)
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('held_until', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('open_since', 'bigint')
    .addColumn('prepared', text)
    .addColumn('tx', text)
    .addColumn('frozen_at', 'bigint')
    .addColumn('answer', text)
    .execute();
  await schema.createIndex('payments_by_identifier').unique().on('payments').column('identifier').execute();
  await schema.createIndex('payments_open').on('payments').columns(['open_since', 'key']).execute();
  await schema.createIndex('payments_frozen').on('payments').column('frozen_at').execute();
}

async function paidCallTables(schema: Schema, text: Text): Promise<void> {
  await schema
    .createTable('paid_calls')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('service_id', text, (column) => column.notNull())
    .addColumn('begun_at', 'bigint', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('pay_to', text, (column) => column.notNull())
    .addColumn('open_since', 'bigint')
    .addColumn('called_at', 'bigint')
    .addColumn('body', text)
    // Last, because it can be long: SQLite reads a row from its front.
    .addColumn('evidence', text)
    .execute();
  await schema
    .createIndex('paid_calls_by_service')
    .on('paid_calls')
    .columns(['service_id', 'called_at desc', 'id desc'])
    .execute();
  await schema.createIndex('paid_calls_open').on('paid_calls').columns(['open_since', 'id']).execute();
  await schema
    .createTable('spending')
    .addColumn('scope', text, (column) => column.notNull().primaryKey())
    .addColumn('spent', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('service_checks')
    .addColumn('service_id', text, (column) => column.notNull().primaryKey())
    .addColumn('checked_at', 'bigint', (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .execute();
}
