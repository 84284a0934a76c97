import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

/** What owners of endpoints had us keep. */
export async function sellers({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('seller_revision')
    .addColumn('id', 'integer', (column) => column.notNull().primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();

  await schema
    .createTable('retests')
    .addColumn('url_key', text, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('verdict', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('needs_input', 'integer', (column) => column.notNull())
    .addColumn('receipt_id', text, (column) => column.notNull())
    .addColumn('checked_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('retests_pk', ['url_key', 'method'])
    .modifyEnd(oneTree(engine))
    .execute();

  await schema
    .createTable('replies')
    .addColumn('url_key', text, (column) => column.notNull().primaryKey())
    .addColumn('signed_at', 'bigint', (column) => column.notNull())
    .addColumn('note', text)
    .addColumn('signed', text)
    .execute();

  await schema
    .createTable('watches')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('url_key', text, (column) => column.notNull())
    .addColumn('host_key', text, (column) => column.notNull())
    .addColumn('owner_key', text, (column) => column.notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('method', text)
    .addColumn('webhook', text, (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('seen', text)
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('look_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('watches_by_url').on('watches').column('url_key').execute();
  await schema.createIndex('watches_by_host').on('watches').column('host_key').execute();
  await schema.createIndex('watches_by_owner').on('watches').column('owner_key').execute();
  await schema.createIndex('watches_due').on('watches').column('look_at').execute();

  await schema
    .createTable('webhook_events')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('watch_id', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('webhook_events_by_watch').on('webhook_events').column('watch_id').execute();
  await schema.createIndex('webhook_events_due').on('webhook_events').column('due_at').execute();
}
