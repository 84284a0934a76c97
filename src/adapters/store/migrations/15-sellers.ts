import { type Database, type Engine, oneTree, orderedText } from './step.ts';

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
}
