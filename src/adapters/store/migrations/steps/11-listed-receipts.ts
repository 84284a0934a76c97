import type { Database } from '../step.ts';

/** A listing of 100 receipts used to read and check 100 whole challenges. Rows that are there are read as before. */
export async function listedReceipts({ schema }: Database): Promise<void> {
  await schema.alterTable('live_receipts').addColumn('listed', 'text').execute();
}
