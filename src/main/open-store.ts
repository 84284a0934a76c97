import { join } from 'node:path';
import type { Store } from '../adapters/store/store.ts';
import type { Config } from './config.ts';

/** A server when one is named, else a file in the data folder. Only the driver that is needed is loaded. */
export async function openStore({ dataDir, databaseUrl }: Config): Promise<Store> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import('../adapters/store/open-postgres.ts');
    return openPostgres({ url: databaseUrl });
  }
  const { openSqlite } = await import('../adapters/store/open-sqlite.ts');
  return openSqlite({ file: join(dataDir, 'assay.db') });
}
