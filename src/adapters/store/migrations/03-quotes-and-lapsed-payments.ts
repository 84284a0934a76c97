import { sql } from 'kysely';
import { type Database, type Engine, oneTree, orderedText } from './step.ts';

export async function quotesAndLapsedPayments({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('quotes')
    .addColumn('key', text, (column) => column.notNull())
    // As text: nobody adds it up, and what a buyer offers may be larger than any column of numbers.
    .addColumn('amount', text, (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotes_pk', ['key', 'amount'])
    .modifyEnd(oneTree(engine))
    .execute();
  await schema.createIndex('quotes_by_time').on('quotes').column('until').execute();
  // Only of these states: payments that are settled stay for ever, and would fill an index that never looks at them.
  await schema
    .createIndex('payments_lapsed')
    .on('payments')
    .column('held_until')
    .where(sql.ref('state'), 'in', ['claimed', 'rejected'])
    .execute();
}
