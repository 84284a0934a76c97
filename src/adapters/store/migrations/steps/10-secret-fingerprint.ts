import type { Database } from '../step.ts';

/** One row: which secret keys the hashes of this database. */
export async function secretFingerprint({ schema }: Database): Promise<void> {
  await schema
    .createTable('secret_fingerprint')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .execute();
}
