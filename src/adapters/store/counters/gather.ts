import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CountsByRow, nameOf, type RowUse } from './rows.ts';

interface Waiting {
  readonly row: RowUse;
  resolve(counts: CountsByRow): void;
  reject(fault: unknown): void;
}

/** Keeps a statement short. */
const ROWS_MAX = 64;
const WAITING_MAX = 10_000;

/**
 * One statement at a time; reservations that arrive meanwhile share the next one. A statement has one pair of limits and every
 * row once, so the second reservation of a row waits for the first.
 */
export function gather(
  raise: (rows: readonly RowUse[]) => Promise<CountsByRow>,
): (row: RowUse) => Promise<CountsByRow> {
  const state: { queue: Waiting[]; isRunning: boolean } = { queue: [], isRunning: false };
  const run = async () => {
    state.isRunning = true;
    while (state.queue.length > 0) {
      // Reservations of the same turn go together.
      await nextTurn();
      const { batch, rest } = nextBatch(state.queue);
      state.queue = rest;
      await raise(batch.map(({ row }) => row)).then(
        (counts) => {
          for (const { resolve } of batch) resolve(counts);
        },
        (fault: unknown) => {
          for (const { reject } of batch) reject(fault);
        },
      );
    }
    state.isRunning = false;
  };
  return (row) =>
    new Promise((resolve, reject) => {
      if (state.queue.length >= WAITING_MAX)
        return reject(new Error('too many writes are waiting for the store'));
      state.queue.push({ row, resolve, reject });
      if (!state.isRunning) run();
    });
}

function nextBatch(queue: readonly Waiting[]): {
  readonly batch: readonly Waiting[];
  readonly rest: Waiting[];
} {
  const batch: Waiting[] = [];
  const rest: Waiting[] = [];
  const names = new Set<string>();
  for (const waiting of queue) {
    const name = nameOf(waiting.row);
    const fits = !names.has(name) && batch.length < ROWS_MAX && hasLimitsOf(waiting, batch[0] ?? waiting);
    // Also one that is left for later: nobody overtakes it.
    names.add(name);
    (fits ? batch : rest).push(waiting);
  }
  return { batch, rest };
}

function hasLimitsOf({ row }: Waiting, { row: first }: Waiting): boolean {
  return row.own.limit === first.own.limit && row.together.limit === first.together.limit;
}
