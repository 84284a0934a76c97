import type { Counter } from '../../core/access/quota.ts';
import type { Reserved } from '../../ports/counter-store.ts';
import type { CounterRows, Tally } from './counter-rows.ts';
import { postgresRows } from './counter-rows-postgres.ts';
import { sqliteRows } from './counter-rows-sqlite.ts';
import type { Engine, Queries } from './engine/tables.ts';
import type { Writes } from './engine/writes.ts';

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
  const rows = engine === 'sqlite' ? sqliteRows : postgresRows;
  const state: { open: Waiting[] | null } = { open: null };
  const start = (batch: Waiting[]) => {
    const close = () => {
      if (state.open === batch) state.open = null;
    };
    const work = (queries: Queries) => {
      close();
      return decide(queries, rows, batch);
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
  rows: CounterRows,
  batch: readonly Waiting[],
): Promise<readonly Reserved[]> {
  const tallies: WantedTallies = new Map();
  const wanted = batch.map(({ counters }) => counters.map((counter) => wantedOf(counter, tallies)));
  await rows.hold(queries, tallies);
  const results = wanted.map(grant);
  await rows.write(queries, tallies);
  return results;
}

function someGranted(results: readonly Reserved[]): boolean {
  return results.some(({ granted }) => granted);
}

type WantedTallies = Map<string, Map<string, Tally>>;

function wantedOf({ key, window, limit, together }: Counter, tallies: WantedTallies): Wanted {
  return { limit, of: together ? 'together' : 'used', tally: tallyOf(key, window, tallies) };
}

/** The same for all in the batch who want to raise the same row. */
function tallyOf(key: string, window: string, tallies: WantedTallies): Tally {
  let inWindow = tallies.get(window);
  if (inWindow === undefined) {
    inWindow = new Map();
    tallies.set(window, inWindow);
  }
  const known = inWindow.get(key);
  if (known !== undefined) return known;
  const tally = { key, window, used: 0, together: 0, kept: false, raised: false };
  inWindow.set(key, tally);
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
