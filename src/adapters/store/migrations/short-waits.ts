import { setTimeout as wait } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';

/** A statement that waits for a table lock blocks all later ones, so this is far below the five seconds of a request. */
const LOCK_WAIT_MS = 200;
const PAUSE_MS = 1_000;
const PATIENCE_MS = 600_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** For the rest of a transaction on PostgreSQL. Not before the turn of this process: that may take as long as a migration. */
export async function waitShortly(queries: QueryExecutorProvider): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT_MS)}`.execute(queries);
}

/** Runs a transaction again while somebody, such as a backup, holds a table that it needs. */
export async function untilUnlocked(run: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await run();
    } catch (fault) {
      if (!isLocked(fault)) throw fault;
      if (performance.now() >= giveUpAt) {
        throw new Error(
          'cannot migrate: a long transaction, such as a backup, has held a table for ten minutes; start again when it is over',
          { cause: fault },
        );
      }
      await wait(PAUSE_MS);
    }
  }
}

function isLocked(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === LOCK_NOT_AVAILABLE;
}
