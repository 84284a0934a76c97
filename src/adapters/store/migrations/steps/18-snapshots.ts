import { sql } from 'kysely';
import { type Database, type Engine, oneTree, orderedText } from '../step.ts';

/** Signed files of verdicts, in parts. Part 256 is the head, part 257 the delta. */
export async function snapshots({ schema }: Database, engine: Engine): Promise<void> {
  const text = orderedText(engine);
  await schema
    .createTable('snapshots')
    .addColumn('sha256', text, (column) => column.notNull().primaryKey())
    .addColumn('run_id', text, (column) => column.notNull())
    .addColumn('crawled_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('manifest', text, (column) => column.notNull())
    .addColumn('delta_from', text)
    .execute();
  await schema
    .createTable('snapshot_parts')
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('bytes', engine === 'sqlite' ? 'blob' : sql`bytea`, (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshot_parts_pk', ['sha256', 'part'])
    .modifyEnd(oneTree(engine))
    .execute();
}
