import type { Queries } from '../engine/tables.ts';
import { pendingWrites, type Work, type Writes } from '../engine/writes.ts';
import type { WalSync } from './wal-sync.ts';

/** Bounds how long one transaction keeps other processes out. */
const GROUP_MAX = 256;

/** A write that waits for its group. */
interface Entry {
  /** Runs without a savepoint: when it fails, the whole transaction is rolled back. */
  readonly single: boolean;
  readonly isRepeatable: boolean;
  /** Runs the queries. Answers whether to keep them, and how to resolve the caller's promise once they are durable. */
  attempt(queries: Queries): Promise<{ readonly keep: boolean; readonly settle: () => void }>;
  fail(fault: unknown): void;
}

/** Runs BEGIN, COMMIT and the like on the one connection. */
export type Control = (statement: string) => void;

interface Connection {
  readonly control: Control;
  readonly wal: WalSync;
}

/**
 * All writes of one event-loop turn share one transaction; one of several statements runs in a savepoint, so that it fails alone.
 * In this order: the commit, which shows the group to all readers; the sync, which makes it durable; the promises of its callers;
 * the next group.
 */
export function groupCommit(
  database: Queries,
  connection: Connection,
): Writes & { readonly waiting: () => number } {
  const pending = pendingWrites();
  const queue: Entry[] = [];
  const state = { scheduled: false };

  const schedule = () => {
    if (state.scheduled) return;
    state.scheduled = true;
    setImmediate(flush);
  };
  const flush = async () => {
    const group = queue.splice(0, GROUP_MAX);
    // Holds the only connection, so that no reader sees half a group.
    await database
      .connection()
      .execute((queries) => commitGroup(group, queries, connection))
      .catch((fault: unknown) => {
        // Whatever failed, the next group must not find an open transaction.
        tryControl(connection, 'rollback');
        failAll(group, fault);
      });
    // Writes gather while a sync runs: they have to wait for the next one anyway.
    await connection.wal.idle();
    state.scheduled = false;
    if (queue.length > 0) schedule();
  };
  const enqueue = <T>(
    work: Work<T>,
    keeps: (value: T) => boolean,
    kind: Pick<Entry, 'single' | 'isRepeatable'>,
  ) =>
    new Promise<T>((resolve, reject) => {
      const attempt = async (queries: Queries) => {
        const value = await work(queries);
        return { keep: keeps(value), settle: () => resolve(value) };
      };
      queue.push({ attempt, fail: reject, ...kind });
      schedule();
    });

  return {
    one: (work, { isRepeatable = false } = {}) =>
      pending.add(() => enqueue(work, () => true, { single: true, isRepeatable })),
    unit: (work, { look, keeps = () => true, isRepeatable = false } = {}) =>
      pending.add(async () => {
        const known = (await look?.(database)) ?? null;
        if (known === null) return enqueue(work, keeps, { single: false, isRepeatable });
        // What it read may be committed but not yet durable.
        if (!isRepeatable) await connection.wal.synced();
        return known;
      }),
    end: () => pending.end(),
    waiting: () => queue.length,
  };
}

async function commitGroup(group: readonly Entry[], queries: Queries, connection: Connection): Promise<void> {
  connection.wal.check();
  connection.control('begin immediate');
  // A write that is alone in its transaction is undone with it. A savepoint costs a copy of every page that changes.
  const isShared = group.length > 1;
  const answers: Ran[] = [];
  for (const entry of group) {
    const answer = await (entry.single || !isShared ? runBare : runInSavepoint)(entry, queries, connection);
    if (answer.kind === 'transaction_lost') return runOneByOne(group, answer.fault, queries, connection);
    answers.push(answer);
  }
  commit(connection, answers);
  acknowledge(group, answers, connection.wal);
}

function commit({ control, wal }: Connection, answers: readonly Ran[]): void {
  const isKept = answers.some(({ keep }) => keep);
  try {
    control(isKept ? 'commit' : 'rollback');
  } catch (fault) {
    throw new Error('the store could not commit', { cause: fault });
  }
  if (isKept) wal.committed();
}

/**
 * Begins the sync and returns: promises resolve after it, also of a refused write, whose reason may be a commit that is not yet
 * durable. Only a group in which everything is repeatable needs no sync.
 */
function acknowledge(group: readonly Entry[], answers: readonly Ran[], wal: WalSync): void {
  const settle = () => {
    for (const answer of answers) answer.settle();
  };
  if (group.every(({ isRepeatable }) => isRepeatable)) settle();
  else wal.synced().then(settle, (fault: unknown) => failAll(group, fault));
}

interface Ran {
  readonly kind: 'ran';
  readonly keep: boolean;
  readonly settle: () => void;
}

type Answer = Ran | { readonly kind: 'transaction_lost'; readonly fault: unknown };

/** How much a failed statement has left behind depends on the fault, so the transaction is given up. */
async function runBare(entry: Entry, queries: Queries): Promise<Answer> {
  try {
    return { kind: 'ran', ...(await entry.attempt(queries)) };
  } catch (fault) {
    return { kind: 'transaction_lost', fault };
  }
}

async function runInSavepoint(entry: Entry, queries: Queries, connection: Connection): Promise<Answer> {
  const { control } = connection;
  control('savepoint one_write');
  try {
    const { keep, settle } = await entry.attempt(queries);
    if (!keep) control('rollback to one_write');
    control('release one_write');
    return { kind: 'ran', keep, settle };
  } catch (fault) {
    const undone =
      tryControl(connection, 'rollback to one_write') && tryControl(connection, 'release one_write');
    if (!undone) return { kind: 'transaction_lost', fault };
    return { kind: 'ran', keep: false, settle: () => entry.fail(fault) };
  }
}

/** After a full disk, or a failure outside a savepoint: each write gets its own transaction, and fails or succeeds alone. */
async function runOneByOne(
  group: readonly Entry[],
  fault: unknown,
  queries: Queries,
  connection: Connection,
): Promise<void> {
  tryControl(connection, 'rollback');
  if (group.length === 1) return failAll(group, fault);
  for (const entry of group) {
    await commitGroup([entry], queries, connection).catch((own: unknown) => {
      tryControl(connection, 'rollback');
      entry.fail(own);
    });
  }
}

function failAll(group: readonly Entry[], fault: unknown): void {
  for (const entry of group) entry.fail(fault);
}

function tryControl({ control }: Connection, statement: string): boolean {
  try {
    control(statement);
    return true;
  } catch {
    return false;
  }
}
