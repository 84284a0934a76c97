import { type Database, type Engine, orderedText } from '../step.ts';

/** Receipts of older releases keep an empty spelling: they count as another spelling of their URL. */
export async function receiptSpellings({ schema }: Database, engine: Engine): Promise<void> {
  await schema
    .alterTable('live_receipts')
    .addColumn('spelling', orderedText(engine), (column) => column.notNull().defaultTo(''))
    .execute();
  await schema
    .createIndex('live_receipts_by_spelling')
    .on('live_receipts')
    .columns(['url_key', 'mode', 'spelling', 'checked_at desc', 'id desc'])
    .execute();
}
