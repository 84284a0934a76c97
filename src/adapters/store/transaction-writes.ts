import { DatabaseError } from 'pg';
import type { Queries } from './tables.ts';
import { pendingWrites, type Work, type Writes } from './writes.ts';

/** For an engine with many connections: a statement commits by itself, a unit has its own transaction. */
export function transactionWrites(database: Queries): Writes {
  const pending = pendingWrites();
  return {
    one: (work) => pending.add(() => work(database)),
    unit: (work, { look, keeps = () => true } = {}) =>
      // One connection for both, so that a look comes right before its transaction and not before all others.
      pending.add(() =>
        database
          .connection()
          .execute(
            async (connection) =>
              (await look?.(connection)) ?? untilKept(() => runUnit(connection, work, keeps)),
          ),
      ),
    end: () => pending.end(),
  };
}

const ATTEMPTS_MAX = 4;
/** serialization_failure and deadlock_detected: the server has undone everything and asks for another try. */
const TRY_AGAIN: ReadonlySet<string | undefined> = new Set(['40001', '40P01']);

/** Work may run again on a clean state, so whoever was undone in favour of another only comes a little later. */
async function untilKept<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (fault) {
      const isUndone = fault instanceof DatabaseError && TRY_AGAIN.has(fault.code);
      if (!isUndone || attempt === ATTEMPTS_MAX) throw fault;
    }
  }
}

async function runUnit<T>(connection: Queries, work: Work<T>, keeps: (value: T) => boolean): Promise<T> {
  const transaction = await connection.startTransaction().execute();
  try {
    const value = await work(transaction);
    const end = keeps(value) ? transaction.commit() : transaction.rollback();
    await end.execute();
    return value;
  } catch (fault) {
    // Also gives the connection back. It fails when the connection is gone, and then there is nothing to roll back.
    if (!transaction.isRolledBack)
      await transaction
        .rollback()
        .execute()
        .catch(() => {});
    throw fault;
  }
}
