import { join } from 'node:path';
import { openPostgres } from '../adapters/store/open-postgres.ts';
import { openSqlite } from '../adapters/store/open-sqlite.ts';
import type { Store } from '../adapters/store/store.ts';
import type { Config } from './config.ts';

/** A server when one is named, else a file in the data folder. */
export function openStore({ dataDir, databaseUrl }: Config): Promise<Store> {
  if (databaseUrl !== null) return openPostgres({ url: databaseUrl });
  return openSqlite({ file: join(dataDir, 'assay.db') });
}
