import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

/** Replaces `probe_places` and the lanes of `crawl_hosts`, which are no longer used. */
export async function targetSlots({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('target_slots')
    .addColumn('target_key', text, (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('holder', text, (column) => column.notNull())
    .addColumn('probe_key', text)
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('target_slots_pk', ['target_key', 'slot'])
    .addUniqueConstraint('target_slots_one_probe', ['target_key', 'probe_key'])
    .modifyEnd(oneTree(engine))
    .execute();
  await schema.createIndex('target_slots_by_time').on('target_slots').column('until').execute();
}
