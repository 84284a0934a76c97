import { order } from '../../core/order.ts';
import type { Reserved } from '../../ports/counter-store.ts';
import type { CounterRow } from './counter-rows.ts';
import type { Queries } from './engine/tables.ts';
import type { Writes } from './engine/writes.ts';
import { counting, nameOf, type PlainUse, raising, roomIn } from './raise-counters.ts';

interface Waiting {
  readonly use: PlainUse;
  resolve(reserved: Reserved): void;
  reject(fault: unknown): void;
}

/** Those who want to raise one row, in the order in which they came. */
interface Wanted {
  readonly use: PlainUse;
  /** Granted together by the next statement, or not. */
  readonly first: readonly Waiting[];
  readonly others: readonly Waiting[];
}

/** Keeps a statement short; the others take the next one. */
const ROWS_MAX = 64;

/**
 * PostgreSQL: uses that ask for one row each are granted by one statement, which needs no transaction around it. While one is
 * under way, all who come wait for the next together, so that a busy process does not send more of them but larger ones.
 */
export function reserveAtOnce(database: Queries, writes: Writes): (use: PlainUse) => Promise<Reserved> {
  const queues = new Map<string, (use: PlainUse) => Promise<Reserved>>();
  return (use) => {
    // The limits are settings, so there are few pairs of them.
    const name = `${use.own} ${use.together}`;
    let queue = queues.get(name);
    if (queue === undefined) {
      queue = oneAfterAnother(database, writes);
      queues.set(name, queue);
    }
    return queue(use);
  };
}

interface State {
  queue: Waiting[];
  room: Room;
  isUnderWay: boolean;
}

function oneAfterAnother(database: Queries, writes: Writes): (use: PlainUse) => Promise<Reserved> {
  const state: State = { queue: [], room: new Map(), isUnderWay: false };
  const next = async () => {
    const { wanted, later } = byRow(state.queue, state.room);
    state.queue = [];
    const { again, room } = await raiseOrRefuse(wanted);
    state.queue = [...again, ...later, ...state.queue];
    state.room = room;
    state.isUnderWay = state.queue.length > 0;
    if (state.isUnderWay) setImmediate(next);
  };
  const raiseOrRefuse = async (wanted: readonly Wanted[]): Promise<Raised> => {
    try {
      const { unknown, ...raised } = await raise(writes, wanted);
      // The next statement does not wait for their answer.
      tellCounts(database, unknown);
      return raised;
    } catch (fault) {
      for (const { first } of wanted) for (const { reject } of first) reject(fault);
      return { again: wanted.flatMap(({ others }) => others), room: new Map() };
    }
  };
  return (use) =>
    new Promise((resolve, reject) => {
      state.queue.push({ use, resolve, reject });
      if (state.isUnderWay) return;
      state.isUnderWay = true;
      // Whoever comes in the same turn is in the same statement.
      setImmediate(next);
    });
}

/** For how many uses a row seems to have room, where that is known; others may have raised or lowered it since. */
type Room = ReadonlyMap<string, number>;

interface Raised {
  /** Those who have no answer yet. */
  readonly again: readonly Waiting[];
  readonly room: Room;
}

function byRow(queue: readonly Waiting[], room: Room) {
  const rows = new Map<string, { readonly use: PlainUse; readonly all: Waiting[] }>();
  const later: Waiting[] = [];
  for (const waiting of queue) {
    const { use } = waiting;
    const row = rows.get(use.name);
    if (row !== undefined) row.all.push(waiting);
    else if (rows.size < ROWS_MAX) rows.set(use.name, { use, all: [waiting] });
    else later.push(waiting);
  }
  const wanted = [...rows.values()].map(({ use, all }): Wanted => {
    const times = Math.min(all.length, roomIn(use), room.get(use.name) ?? all.length);
    return { use, first: all.slice(0, times), others: all.slice(times) };
  });
  // A fixed order keeps two processes from waiting for each other.
  return { wanted: wanted.sort((one, other) => order(one.use.name, other.use.name)), later };
}

/** Answers those who were granted their use, and those who came after the last one. */
async function raise(
  writes: Writes,
  wanted: readonly Wanted[],
): Promise<Raised & { readonly unknown: readonly Waiting[] }> {
  const raises = wanted.map(({ use, first }) => ({ use, times: first.length }));
  const { rows } = await writes.one((queries) => queries.executeQuery(raising(raises)));
  const raised = new Map(rows.map((row) => [nameOf(row), row]));
  const again: Waiting[] = [];
  const unknown: Waiting[] = [];
  const room = new Map<string, number>();
  for (const { use, first, others } of wanted) {
    const row = raised.get(use.name);
    if (row !== undefined) {
      grant(first, row);
      const left = roomIn(use, row);
      if (left > 0) again.push(...others);
      else refuse(others, row);
      room.set(use.name, Math.max(1, left));
    } else if (first.length > 1) {
      // Too many at a time; there may be room for one, which then tells how much there is.
      again.push(...first, ...others);
      room.set(use.name, 1);
    } else unknown.push(...first, ...others);
  }
  return { again, unknown, room };
}

function grant(waiting: readonly Waiting[], { used, used_together }: CounterRow): void {
  for (const [index, { use, resolve }] of waiting.entries()) {
    const after = waiting.length - 1 - index;
    resolve({
      granted: true,
      used: countsOf(use, { used: used - after, used_together: used_together - after }),
    });
  }
}

function refuse(waiting: readonly Waiting[], row: CounterRow | undefined): void {
  for (const { use, resolve } of waiting) resolve({ granted: false, used: countsOf(use, row) });
}

/** Answers those whose row is full with how far it is. */
async function tellCounts(database: Queries, refused: readonly Waiting[]): Promise<void> {
  if (refused.length === 0) return;
  const uses = new Map(refused.map(({ use }) => [use.name, use]));
  try {
    const { rows } = await database.executeQuery(counting([...uses.values()]));
    const found = new Map(rows.map((row) => [nameOf(row), row]));
    for (const waiting of refused) refuse([waiting], found.get(waiting.use.name));
  } catch (fault) {
    for (const { reject } of refused) reject(fault);
  }
}

function countsOf(
  { counters }: PlainUse,
  row: Pick<CounterRow, 'used' | 'used_together'> | undefined,
): readonly number[] {
  return counters.map(({ together }) => (together ? row?.used_together : row?.used) ?? 0);
}
