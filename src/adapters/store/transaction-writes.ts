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
          .execute(async (connection) => (await look?.(connection)) ?? runUnit(connection, work, keeps)),
      ),
    end: () => pending.end(),
  };
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
