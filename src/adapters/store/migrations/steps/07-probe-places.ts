import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

export async function probePlaces({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('probe_places')
    .addColumn('host_key', text, (column) => column.notNull().primaryKey())
    .addColumn('sole_holder', text)
    .addColumn('held', text, (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .modifyEnd(oneTree(engine))
    .execute();
  await schema.createIndex('probe_places_by_time').on('probe_places').column('until').execute();

  await schema
    .alterTable('crawl_hosts')
    .addColumn('lanes', 'integer', (column) => column.notNull().defaultTo(3))
    .execute();
  await schema
    .alterTable('crawl_hosts')
    .addColumn('wanted_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}
