import { sql } from 'kysely';
import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

export async function quotesAndLapsedPayments({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('quotes')
    .addColumn('key', text, (column) => column.notNull())
    // As text: it is never summed, and an offered amount may exceed any numeric column.
    .addColumn('amount', text, (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotes_pk', ['key', 'amount'])
    .modifyEnd(oneTree(engine))
    .execute();
  await schema.createIndex('quotes_by_time').on('quotes').column('until').execute();
  // A partial index: settled payments are permanent and never looked up by it.
  await schema
    .createIndex('payments_lapsed')
    .on('payments')
    .column('held_until')
    .where(sql.ref('state'), 'in', ['claimed', 'rejected'])
    .execute();
}
