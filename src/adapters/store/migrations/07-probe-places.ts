import { sql } from 'kysely';
import type { Engine, Queries } from '../engine/tables.ts';

export async function probePlaces({ schema }: Queries, engine: Engine): Promise<void> {
  // SQLite orders text by its bytes; PostgreSQL does so only when it is told, whatever its locale.
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('probe_places')
    .addColumn('host_key', text, (column) => column.notNull().primaryKey())
    .addColumn('sole_holder', text)
    .addColumn('held', text, (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .modifyEnd(engine === 'sqlite' ? sql`without rowid` : sql``)
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
