import { join } from 'node:path';
import type { Store } from '../../adapters/store/store.ts';
import type { Config } from '../config/config.ts';

type StoreConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'databasePool' | 'databaseWaitSeconds'>;

/**
 * A PostgreSQL server if one is configured, else a file in the data folder; only that driver is loaded. The service waits for a
 * server that is not up yet; a one-shot command fails at once.
 */
export async function openStore(
  { dataDir, databaseUrl, databasePool, databaseWaitSeconds }: StoreConfig,
  onWaiting?: (line: string) => void,
): Promise<Store> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import('../../adapters/store/postgres/open.ts');
    const atStart = onWaiting === undefined ? undefined : { mostMs: databaseWaitSeconds * 1_000, onWaiting };
    return withFix(
      openPostgres({ url: databaseUrl, poolSize: databasePool, atStart }),
      'start the server or change DATABASE_URL',
    );
  }
  const { openSqlite } = await import('../../adapters/store/sqlite/open.ts');
  return withFix(
    openSqlite({ file: join(dataDir, 'assay.db') }),
    'DATA_DIR must be a folder that this user may write',
  );
}

/** What does not open has one usual cause; what is wrong inside says so itself. */
const UNOPENED = /^cannot (?:open|reach) the database/;

async function withFix(opening: Promise<Store>, fix: string): Promise<Store> {
  try {
    return await opening;
  } catch (fault) {
    if (!(fault instanceof Error && UNOPENED.test(fault.message))) throw fault;
    throw new Error(`${fault.message}; ${fix}`, { cause: fault });
  }
}
