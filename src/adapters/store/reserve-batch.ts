import type { Counter } from '../../core/access/quota.ts';
import { order } from '../../core/order.ts';
import type { Reserved } from '../../ports/counter-store.ts';
import {
  type CounterRow,
  locking,
  nameOf,
  overwriting,
  reading,
  removing,
  type Tally,
  writing,
} from './counter-statements.ts';
import type { Engine, Queries } from './tables.ts';
import type { Writes } from './writes.ts';

/** A request for uses that waits for its batch. */
interface Waiting {
  readonly counters: readonly Counter[];
  resolve(reserved: Reserved): void;
  reject(fault: unknown): void;
}

/** Enough for everybody who comes while a transaction begins, and few enough for one statement. */
const BATCH_MAX = 64;

/**
 * All requests that come before a transaction has begun are decided in it, one after the other: two statements serve as
 * many callers as there are. On both engines the rows are held by nobody else meanwhile.
 */
export function batchedReserve(
  writes: Writes,
  engine: Engine,
): (counters: readonly Counter[]) => Promise<Reserved> {
  const state: { open: Waiting[] | null } = { open: null };
  const start = (batch: Waiting[]) => {
    const close = () => {
      if (state.open === batch) state.open = null;
    };
    const work = (queries: Queries) => {
      close();
      return decide(queries, engine, batch);
    };
    // On SQLite that needs no savepoint: when one of the statements fails, all of the transaction is undone.
    const decided = engine === 'sqlite' ? writes.one(work) : writes.unit(work, { keeps: someGranted });
    decided.then(
      (results) => {
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? REFUSED);
      },
      (fault: unknown) => {
        close();
        for (const { reject } of batch) reject(fault);
      },
    );
  };
  return (counters) =>
    new Promise((resolve, reject) => {
      const waiting = { counters, resolve, reject };
      if (state.open !== null && state.open.length < BATCH_MAX) {
        state.open.push(waiting);
        return;
      }
      state.open = [waiting];
      start(state.open);
    });
}

/** Every request has its answer; this one stands for what cannot be. */
const REFUSED: Reserved = { granted: false, used: [] };

/** One of the counters that a request wants to raise. */
interface Wanted {
  readonly limit: number;
  readonly of: 'used' | 'together';
  readonly tally: Tally;
}

async function decide(
  queries: Queries,
  engine: Engine,
  batch: readonly Waiting[],
): Promise<readonly Reserved[]> {
  const tallies = new Map<string, Tally>();
  const wanted = batch.map(({ counters }) => counters.map((counter) => wantedOf(counter, tallies)));
  // A fixed order keeps two processes from waiting for each other.
  const inOrder = [...tallies].sort(([left], [right]) => order(left, right)).map(([, tally]) => tally);
  const { rows } = await queries.executeQuery<CounterRow>(
    engine === 'sqlite' ? reading(inOrder) : locking(inOrder),
  );
  for (const row of rows) {
    const tally = tallies.get(nameOf(row));
    if (tally === undefined) continue;
    tally.used = row.used;
    tally.together = row.used_together;
    tally.kept = true;
  }
  const results = wanted.map(grant);
  const raised = inOrder.filter((tally) => tally.raised);
  const changes = engine === 'sqlite' ? writing(raised) : overwriting(raised);
  for (const change of changes) await queries.executeQuery(change);
  const unused = inOrder.filter(({ used, together }) => used === 0 && together === 0);
  // Whoever asks in vain leaves nothing behind. Where nobody was granted anything, all of it is undone anyway.
  if (engine === 'postgres' && raised.length > 0 && unused.length > 0)
    await queries.executeQuery(removing(unused));
  return results;
}

function someGranted(results: readonly Reserved[]): boolean {
  return results.some(({ granted }) => granted);
}

function wantedOf({ key, window, limit, together }: Counter, tallies: Map<string, Tally>): Wanted {
  return { limit, of: together ? 'together' : 'used', tally: tallyOf({ key, window }, tallies) };
}

/** The same for all in the batch who want to raise the same row. */
function tallyOf({ key, window }: Pick<Tally, 'key' | 'window'>, tallies: Map<string, Tally>): Tally {
  const name = nameOf({ key, window });
  const known = tallies.get(name);
  if (known !== undefined) return known;
  const tally = { key, window, used: 0, together: 0, kept: false, raised: false };
  tallies.set(name, tally);
  return tally;
}

function grant(wanted: readonly Wanted[]): Reserved {
  const granted = wanted.every(({ limit, of, tally }) => tally[of] < limit);
  if (granted) {
    for (const { of, tally } of wanted) {
      tally[of] += 1;
      tally.raised = true;
    }
  }
  return { granted, used: wanted.map(({ of, tally }) => tally[of]) };
}
