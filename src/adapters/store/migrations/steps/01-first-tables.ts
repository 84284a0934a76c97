import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

export async function firstTables({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  // Every counted call writes here.
  await schema
    .createTable('counters')
    .addColumn('window', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('counters_pk', ['window', 'key'])
    .modifyEnd(oneTree(engine))
    .execute();

  await schema
    .createTable('probe_cache')
    .addColumn('url_key', text, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('probed_at', 'bigint', (column) => column.notNull())
    .addColumn('spelling', text, (column) => column.notNull())
    .addColumn('observation', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('probe_cache_pk', ['url_key', 'method'])
    .execute();
  await schema.createIndex('probe_cache_by_time').on('probe_cache').column('probed_at').execute();

  await schema
    .createTable('live_receipts')
    .addColumn('id', text, (column) => column.notNull().primaryKey())
    .addColumn('mode', text, (column) => column.notNull())
    .addColumn('ref', text)
    .addColumn('checked_at', 'bigint', (column) => column.notNull())
    .addColumn('url_key', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .execute();
  const newestFirst = ['checked_at desc', 'id desc'] as const;
  const indexes = [
    ['live_receipts_by_time', ['mode', ...newestFirst]],
    ['live_receipts_by_ref', ['mode', 'ref', ...newestFirst]],
    ['live_receipts_by_url', ['url_key', 'mode', ...newestFirst]],
  ] as const;
  for (const [name, columns] of indexes) {
    await schema
      .createIndex(name)
      .on('live_receipts')
      .columns([...columns])
      .execute();
  }
}
