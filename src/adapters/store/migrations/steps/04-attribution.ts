import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

export async function attribution({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  // Empty text stands for null, which a primary key cannot contain.
  await schema
    .createTable('lookup_counts')
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('client', text, (column) => column.notNull())
    .addColumn('ref', text, (column) => column.notNull())
    .addColumn('payer', text, (column) => column.notNull())
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('lookups', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('lookup_counts_pk', ['day', 'kind', 'name', 'client', 'ref', 'payer'])
    .modifyEnd(oneTree(engine))
    .execute();
}
