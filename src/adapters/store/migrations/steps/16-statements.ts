import type { Database } from '../step.ts';

/** The body of a crawl receipt becomes its public statement; what is not public stands beside it. */
export async function statements({ schema }: Database): Promise<void> {
  await schema.alterTable('crawl_receipts').addColumn('beside', 'text').execute();
}
