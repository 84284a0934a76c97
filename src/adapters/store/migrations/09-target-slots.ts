import { type Kysely, sql } from 'kysely';

/** Replaces `probe_places` and the lanes of `crawl_hosts`, which are no longer used. */
export async function targetSlots(
  { schema }: Pick<Kysely<unknown>, 'schema'>,
  engine: 'sqlite' | 'postgres',
): Promise<void> {
  // SQLite orders text by its bytes; PostgreSQL does so only when it is told, whatever its locale.
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  await schema
    .createTable('target_slots')
    .addColumn('target_key', text, (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('probe_key', text)
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('target_slots_pk', ['target_key', 'slot'])
    .addUniqueConstraint('target_slots_one_probe', ['target_key', 'probe_key'])
    .modifyEnd(engine === 'sqlite' ? sql`without rowid` : sql``)
    .execute();
  await schema.createIndex('target_slots_by_time').on('target_slots').column('until').execute();
}
