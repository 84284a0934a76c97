import { type Database, type Engine, orderedText } from '../step.ts';

/** Input that was served without payment is not sent again. */
export async function openEndpoints({ schema }: Database, engine: Engine): Promise<void> {
  await schema
    .createTable('open_endpoints')
    .addColumn('key', orderedText(engine), (column) => column.primaryKey())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
}
