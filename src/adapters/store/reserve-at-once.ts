import { CompiledQuery } from 'kysely';
import type { Counter } from '../../core/access/quota.ts';
import { order } from '../../core/order.ts';
import type { Reserved } from '../../ports/counter-store.ts';
import type { CounterRow } from './counter-rows.ts';
import { prepared } from './prepared.ts';
import type { Queries } from './tables.ts';
import type { Writes } from './writes.ts';

/** A use whose counters are one row, which one statement can test and raise. */
export interface PlainUse {
  readonly counters: readonly Counter[];
  readonly name: string;
  readonly key: string;
  readonly window: string;
  /** The limits of the row's two counts; null where the use does not raise one. */
  readonly own: number | null;
  readonly together: number | null;
}

export function plainUse(counters: readonly Counter[]): PlainUse | null {
  const [first] = counters;
  if (first === undefined) return null;
  const { key, window } = first;
  // A row that is not there is made without a test.
  const isPlain = counters.every((each) => each.key === key && each.window === window && each.limit > 0);
  if (!isPlain) return null;
  const own = counters.find((each) => each.together !== true)?.limit ?? null;
  const together = counters.find((each) => each.together === true)?.limit ?? null;
  return { counters, name: nameOf(first), key, window, own, together };
}

interface Waiting {
  readonly use: PlainUse;
  resolve(reserved: Reserved): void;
  reject(fault: unknown): void;
}

/** Keeps a statement short; the others take the next one. */
const BATCH_MAX = 64;

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

function oneAfterAnother(database: Queries, writes: Writes): (use: PlainUse) => Promise<Reserved> {
  const state: { queue: Waiting[]; isUnderWay: boolean } = { queue: [], isUnderWay: false };
  const next = async () => {
    const { taken, left } = firstOfEach(state.queue);
    state.queue = [];
    const again = await raiseOrRefuse(taken, left);
    state.queue = [...again, ...state.queue];
    state.isUnderWay = state.queue.length > 0;
    if (state.isUnderWay) setImmediate(next);
  };
  /** Those who have no answer yet. */
  const raiseOrRefuse = async (taken: readonly Waiting[], left: readonly Waiting[]) => {
    try {
      const full = await raise(writes, taken);
      const isFull = ({ use }: Waiting) => full.has(use.name);
      // With all others who waited for the same row when it was full. The next statement does not wait for their answer.
      tellCounts(database, [...taken, ...left].filter(isFull));
      return left.filter((waiting) => !isFull(waiting));
    } catch (fault) {
      for (const { reject } of taken) reject(fault);
      return left;
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

/** A statement can raise a row once, so that a second use of it waits for the next. */
function firstOfEach(queue: readonly Waiting[]) {
  const first = new Map<string, Waiting>();
  const left: Waiting[] = [];
  for (const waiting of queue) {
    const { name } = waiting.use;
    if (first.size < BATCH_MAX && !first.has(name)) first.set(name, waiting);
    else left.push(waiting);
  }
  // A fixed order keeps two processes from waiting for each other.
  const taken = [...first].sort(([one], [other]) => order(one, other)).map(([, waiting]) => waiting);
  return { taken, left };
}

/** Answers those who were granted their use; the names of the other rows, which are full. */
async function raise(writes: Writes, batch: readonly Waiting[]): Promise<ReadonlySet<string>> {
  const uses = batch.map(({ use }) => use);
  const { rows } = await writes.one((queries) => queries.executeQuery(raising(uses)));
  const raised = new Map(rows.map((row) => [nameOf(row), row]));
  const full = new Set<string>();
  for (const { use, resolve } of batch) {
    const row = raised.get(use.name);
    if (row === undefined) full.add(use.name);
    else resolve({ granted: true, used: countsOf(use, row) });
  }
  return full;
}

/** Answers those whose row is full with how far it is. */
async function tellCounts(database: Queries, refused: readonly Waiting[]): Promise<void> {
  if (refused.length === 0) return;
  const uses = new Map(refused.map(({ use }) => [use.name, use]));
  try {
    const { rows } = await database.executeQuery(counting([...uses.values()]));
    const found = new Map(rows.map((row) => [nameOf(row), row]));
    for (const { use, resolve } of refused)
      resolve({ granted: false, used: countsOf(use, found.get(use.name)) });
  } catch (fault) {
    for (const { reject } of refused) reject(fault);
  }
}

function nameOf({ key, window }: Pick<CounterRow, 'key' | 'window'>): string {
  return `${window} ${key}`;
}

function countsOf({ counters }: PlainUse, row: CounterRow | undefined): readonly number[] {
  return counters.map(({ together }) => (together ? row?.used_together : row?.used) ?? 0);
}

function raising(uses: readonly PlainUse[]): CompiledQuery<CounterRow> {
  const [{ own, together } = { own: null, together: null }] = uses;
  return CompiledQuery.raw(RAISING, [...namesOf(uses), own, together]);
}

/** A limit that is null is that of a count which is not raised. */
const RAISING = prepared(
  'raise_counters',
  `insert into counters ("window", key, used, used_together)
    select "window", key, ($3::bigint is not null)::int, ($4::bigint is not null)::int
      from unnest($1::text[], $2::text[]) wanted("window", key)
    on conflict ("window", key) do update
      set used = counters.used + excluded.used, used_together = counters.used_together + excluded.used_together
      where ($3 is null or counters.used < $3) and ($4 is null or counters.used_together < $4)
    returning key, "window", used, used_together`,
);

function counting(uses: readonly PlainUse[]): CompiledQuery<CounterRow> {
  return CompiledQuery.raw(COUNTING, namesOf(uses));
}

const COUNTING = prepared(
  'count_counters',
  `select found.key, found."window", found.used, found.used_together from unnest($1::text[], $2::text[]) wanted("window", key)
    cross join lateral (
      select key, "window", used, used_together from counters
        where counters."window" = wanted."window" and counters.key = wanted.key
        -- One by one: a join could be planned for an empty table and read all of a full one.
        limit 1
    ) found`,
);

function namesOf(uses: readonly PlainUse[]): unknown[] {
  return [uses.map(({ window }) => window), uses.map(({ key }) => key)];
}
