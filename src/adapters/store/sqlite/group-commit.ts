import type { Queries } from '../engine/tables.ts';
import { pendingWrites, type Work, type Writes } from '../engine/writes.ts';

/** Bounds how long one transaction keeps other processes out. */
const GROUP_MAX = 256;

/** A write that waits for its group. */
interface Entry {
  /** Always runs without a savepoint, so that all of the transaction is undone when it fails. */
  readonly single: boolean;
  readonly isRepeatable: boolean;
  /** Runs the queries; answers whether they stay, and what to tell the caller once they are durable. */
  attempt(queries: Queries): Promise<{ readonly keep: boolean; readonly settle: () => void }>;
  fail(fault: unknown): void;
}

/** Runs BEGIN, COMMIT and the like on the one connection. */
export type Control = (statement: string) => void;

/**
 * All writes of one event-loop turn share one transaction and so one flush of the disk. One of several statements runs in
 * a savepoint, so that a failing one takes nobody with it; all answers wait for the commit.
 */
export function groupCommit(
  database: Queries,
  control: Control,
): Writes & { readonly waiting: () => number } {
  const pending = pendingWrites();
  const queue: Entry[] = [];
  const state = { scheduled: false };
  const chooseFlush = flushChooser(control);

  const schedule = () => {
    if (state.scheduled) return;
    state.scheduled = true;
    setImmediate(flush);
  };
  const flush = async () => {
    const group = queue.splice(0, GROUP_MAX);
    // Kysely lends its one connection to nobody else meanwhile: no read sees half a group.
    await database
      .connection()
      .execute((connection) => commitGroup(group, connection, control, chooseFlush))
      .catch((fault: unknown) => {
        // Whatever broke, the next group must find no transaction open.
        tryControl(control, 'rollback');
        failAll(group, fault);
      });
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
      queue.push({ ...kind, attempt, fail: reject });
      schedule();
    });

  return {
    one: (work, { isRepeatable = false } = {}) =>
      pending.add(() => enqueue(work, () => true, { single: true, isRepeatable })),
    unit: (work, { look, keeps = () => true, isRepeatable = false } = {}) =>
      pending.add(
        async () => (await look?.(database)) ?? enqueue(work, keeps, { single: false, isRepeatable }),
      ),
    end: () => pending.end(),
    waiting: () => queue.length,
  };
}

/** A commit waits for the disk, unless all in its group may be repeated; the next one that waits flushes them too. */
type ChooseFlush = (group: readonly Entry[]) => void;

function flushChooser(control: Control): ChooseFlush {
  let current = 'full';
  return (group) => {
    const wanted = group.every(({ isRepeatable }) => isRepeatable) ? 'normal' : 'full';
    if (wanted === current) return;
    control(`pragma synchronous = ${wanted}`);
    current = wanted;
  };
}

async function commitGroup(
  group: readonly Entry[],
  queries: Queries,
  control: Control,
  chooseFlush: ChooseFlush,
): Promise<void> {
  chooseFlush(group);
  control('begin immediate');
  // Whoever has the transaction alone is undone with it; before a savepoint changes a page, SQLite copies it.
  const isShared = group.length > 1;
  const answers: Ran[] = [];
  for (const entry of group) {
    const answer = await (entry.single || !isShared ? runBare : runInSavepoint)(entry, queries, control);
    if (answer.kind === 'transaction_lost')
      return runOneByOne(group, answer.fault, queries, control, chooseFlush);
    answers.push(answer);
  }
  try {
    control(answers.some(({ keep }) => keep) ? 'commit' : 'rollback');
  } catch (fault) {
    tryControl(control, 'rollback');
    throw new Error('the store could not commit', { cause: fault });
  }
  for (const { settle } of answers) settle();
}

interface Ran {
  readonly kind: 'ran';
  readonly keep: boolean;
  readonly settle: () => void;
}

type Answer = Ran | { readonly kind: 'transaction_lost'; readonly fault: unknown };

/** Which of its rows a statement that failed has left behind depends on the fault. */
async function runBare(entry: Entry, queries: Queries): Promise<Answer> {
  try {
    return { kind: 'ran', ...(await entry.attempt(queries)) };
  } catch (fault) {
    return { kind: 'transaction_lost', fault };
  }
}

async function runInSavepoint(entry: Entry, queries: Queries, control: Control): Promise<Answer> {
  control('savepoint one_write');
  try {
    const { keep, settle } = await entry.attempt(queries);
    if (!keep) control('rollback to one_write');
    control('release one_write');
    return { kind: 'ran', keep, settle };
  } catch (fault) {
    const undone = tryControl(control, 'rollback to one_write') && tryControl(control, 'release one_write');
    if (!undone) return { kind: 'transaction_lost', fault };
    return { kind: 'ran', keep: false, settle: () => entry.fail(fault) };
  }
}

/** After a full disk, or a failure outside a savepoint. Each write gets a transaction of its own, and fails or not by itself. */
async function runOneByOne(
  group: readonly Entry[],
  fault: unknown,
  queries: Queries,
  control: Control,
  chooseFlush: ChooseFlush,
): Promise<void> {
  tryControl(control, 'rollback');
  if (group.length === 1) return failAll(group, fault);
  for (const entry of group) {
    await commitGroup([entry], queries, control, chooseFlush).catch((own: unknown) => entry.fail(own));
  }
}

function failAll(group: readonly Entry[], fault: unknown): void {
  for (const entry of group) entry.fail(fault);
}

function tryControl(control: Control, statement: string): boolean {
  try {
    control(statement);
    return true;
  } catch {
    return false;
  }
}
