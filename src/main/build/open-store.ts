import { join } from 'node:path';
import type { ReadReplica } from '../../adapters/store/replica/read-replica.ts';
import type { Store } from '../../adapters/store/store.ts';
import type { Log } from '../../adapters/system/log.ts';
import type { PageReads } from '../../ports/crawl-runs.ts';
import type { Config } from '../config/config.ts';
import { SYSTEM } from './system.ts';

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
/** The words of SQLite. */
const DAMAGED = /: (?:file is not a database|database disk image is malformed)$/;

async function withFix(opening: Promise<Store>, fix: string): Promise<Store> {
  try {
    return await opening;
  } catch (fault) {
    if (!(fault instanceof Error && UNOPENED.test(fault.message))) throw fault;
    const what = DAMAGED.test(fault.message)
      ? 'move it away, and get its last backup back with assay restore'
      : fix;
    throw new Error(`${fault.message}; ${what}`, { cause: fault });
  }
}

export interface OpenedPageReads {
  readonly pages: PageReads;
  /** Null without DATABASE_READ_URL. */
  readonly replica: ReadReplica | null;
}

/** What pages read: the store, or a standby of it while it is current. */
export async function openPageReads(
  { databaseReadUrl, databasePool }: Pick<Config, 'databaseReadUrl' | 'databasePool'>,
  store: Pick<Store, 'runs' | 'receipts' | 'health'>,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<OpenedPageReads> {
  if (databaseReadUrl === null) return { pages: store, replica: null };
  const { openReadReplica } = await import('../../adapters/store/replica/read-replica.ts');
  const { pageReads } = await import('../../adapters/store/replica/page-reads.ts');
  const replica = openReadReplica({
    url: databaseReadUrl,
    poolSize: databasePool,
    primary: store.health,
    stopwatch: SYSTEM.stopwatch,
    onState(state) {
      if (state === 'current') log.info('pages are read from the read replica');
      else log.warn({ state }, 'the read replica is not used: pages are read from DATABASE_URL');
    },
  });
  // The first page need not wait for the first look.
  void replica.look();
  return { pages: pageReads(store, replica), replica };
}
