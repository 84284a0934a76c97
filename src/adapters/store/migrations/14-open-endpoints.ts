import { type Database, type Engine, orderedText } from './step.ts';

/** Endpoints that answered input without asking for payment: they never get input again. */
export async function openEndpoints({ schema }: Database, engine: Engine): Promise<void> {
  await schema
    .createTable('open_endpoints')
    .addColumn('url_key', orderedText(engine), (column) => column.primaryKey())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
}
