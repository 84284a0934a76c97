import { type Database, type Engine, orderedText } from '../step.ts';

/** What our key has sent for a payment, who presented it, and to whom its answer was delivered. */
export async function paymentSendsAndDelivery({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  // One statement each: SQLite adds one column at a time.
  await schema
    .alterTable('payments')
    .addColumn('sends', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .alterTable('payments')
    .addColumn('send_after', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('payments').addColumn('claimed_from', text).execute();
  await schema.alterTable('payments').addColumn('delivered_at', 'bigint').execute();
  await schema.alterTable('payments').addColumn('delivered_to', text).execute();
}
