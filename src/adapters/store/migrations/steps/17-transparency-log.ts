import { sql } from 'kysely';
import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

/** The log of receipts: its entries, the signed state of each tree, the tiles of hashes, and what was withdrawn or corrected. */
export async function transparencyLog(database: Database, engine: Engine): Promise<void> {
  await logTables(database, engine);
  await takenBackTables(database, engine);
  await database.schema.alterTable('crawl_runs').addColumn('statement', orderedText(engine)).execute();
}

async function logTables({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('log_entries')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('entry', text, (column) => column.notNull())
    .addColumn('queued_at', 'bigint', (column) => column.notNull())
    .addColumn('tree', text)
    .addColumn('seq', 'bigint')
    .execute();
  await schema
    .createIndex('log_entries_waiting')
    .on('log_entries')
    .columns(['queued_at', 'id'])
    .where(sql.ref('seq'), 'is', null)
    .execute();
  await schema
    .createIndex('log_entries_placed')
    .unique()
    .on('log_entries')
    .columns(['tree', 'seq'])
    .where(sql.ref('seq'), 'is not', null)
    .execute();

  await schema
    .createTable('log_heads')
    .addColumn('tree', text, (column) => column.notNull().primaryKey())
    .addColumn('epoch', 'integer')
    .addColumn('origin', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('root', text, (column) => column.notNull())
    .addColumn('checkpoint', text)
    .addColumn('published_size', 'bigint')
    .addColumn('published', text)
    .addColumn('cosigned_size', 'bigint')
    .addColumn('cosigned', text)
    .execute();

  await schema
    .createIndex('log_heads_by_epoch')
    .on('log_heads')
    .column('epoch')
    .where(sql.ref('epoch'), 'is not', null)
    .execute();

  await schema
    .createTable('log_tiles')
    .addColumn('tree', text, (column) => column.notNull())
    .addColumn('level', 'integer', (column) => column.notNull())
    .addColumn('n', 'bigint', (column) => column.notNull())
    .addColumn('tile', engine === 'postgres' ? sql`bytea` : sql`blob`, (column) => column.notNull())
    .addPrimaryKeyConstraint('log_tiles_pk', ['tree', 'level', 'n'])
    .modifyEnd(oneTree(engine))
    .execute();
}

async function takenBackTables({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('withdrawals')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('because', text, (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('run_id', text)
    .addColumn('seq', 'bigint')
    .execute();
  await schema.createIndex('withdrawals_by_run').on('withdrawals').columns(['run_id', 'seq']).execute();

  await schema
    .createTable('corrections')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('receipt_id', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('corrections_by_receipt').on('corrections').column('receipt_id').execute();
}
