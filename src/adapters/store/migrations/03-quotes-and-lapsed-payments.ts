import { sql } from 'kysely';
import type { Engine, Queries } from '../engine/tables.ts';

export async function quotesAndLapsedPayments({ schema }: Queries, engine: Engine): Promise<void> {
  // SQLite orders text by its bytes; PostgreSQL does so only when it is told, whatever its locale.
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  const oneTree = engine === 'sqlite' ? sql`without rowid` : sql``;
  await schema
    .createTable('quotes')
    .addColumn('key', text, (column) => column.notNull())
    // As text: nobody adds it up, and what a buyer offers may be larger than any column of numbers.
    .addColumn('amount', text, (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotes_pk', ['key', 'amount'])
    .modifyEnd(oneTree)
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
