import { DatabaseError } from 'pg';
import type { Queries } from '../engine/tables.ts';
import { pendingWrites, type Work, type Writes } from '../engine/writes.ts';
import { inLine } from './in-line.ts';
import type { IsBack } from './recovery.ts';

/** A single statement commits by itself; a unit has its own transaction. */
export function transactionWrites(database: Queries, isBack: IsBack): Writes {
  const pending = pendingWrites();
  const line = inLine();
  const add = <T>(locks: readonly string[], run: (end: End) => Promise<T>) =>
    pending.add(() => line(locks, () => untilKept(isBack, run)));
  return {
    one: (work) =>
      add([], (end) => {
        end.isSent = true;
        return work(database);
      }),
    unit: (work, { look, keeps = () => true, locks = [] } = {}) =>
      add(locks, (end) =>
        // On one connection, so that no wait for another separates the look from the transaction.
        database
          .connection()
          .execute(async (connection) => (await look?.(connection)) ?? runUnit(connection, work, keeps, end)),
      ),
    end: () => pending.end(),
  };
}

const ATTEMPTS_MAX = 4;
/** serialization_failure and deadlock_detected: the server has rolled back and expects a retry. */
const TRY_AGAIN: ReadonlySet<string | undefined> = new Set(['40001', '40P01']);

/** Once the commit was sent, a lost connection leaves the outcome unknown. */
interface End {
  isSent: boolean;
}

/**
 * Repeats work that was certainly rolled back: the server reported it (a conflict, a shutdown), or the connection was lost
 * before the commit was sent.
 */
async function untilKept<T>(isBack: IsBack, run: (end: End) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const end: End = { isSent: false };
    try {
      return await run(end);
    } catch (fault) {
      if (attempt === ATTEMPTS_MAX) throw fault;
      const isTold = fault instanceof DatabaseError;
      if (isTold && TRY_AGAIN.has(fault.code)) continue;
      if ((end.isSent && !isTold) || !(await isBack(fault))) throw fault;
    }
  }
}

async function runUnit<T>(
  connection: Queries,
  work: Work<T>,
  keeps: (value: T) => boolean,
  end: End,
): Promise<T> {
  const transaction = await connection.startTransaction().execute();
  try {
    const value = await work(transaction);
    const isKept = keeps(value);
    end.isSent = isKept;
    await (isKept ? transaction.commit() : transaction.rollback()).execute();
    return value;
  } catch (fault) {
    // Also releases the connection. Fails when the connection is lost, and then there is nothing to roll back.
    if (!transaction.isRolledBack)
      await transaction
        .rollback()
        .execute()
        .catch(() => {});
    throw fault;
  }
}
