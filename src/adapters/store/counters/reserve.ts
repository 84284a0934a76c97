import type { Counter } from '../../../core/access/quota.ts';
import type { CounterStore, Reserved } from '../../../ports/counter-store.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { gather } from './gather.ts';
import { raiseAll } from './raise-all.ts';
import {
  type CounterStatements,
  type CountsByRow,
  countOf,
  countsIn,
  nameOf,
  type RowUse,
  rowsOf,
} from './rows.ts';

/** A reservation raises every row with a conditional upsert. One row is one statement, several are one unit. */
export function reserving(
  database: Queries,
  writes: Writes,
  isRemote: boolean,
  statements: CounterStatements,
): CounterStore['reserve'] {
  const { raise, count } = statements;
  const raiseOne = gather((rows) => writes.one((queries) => raise(queries, rows)));
  return async (counters) => {
    const rows = rowsOf(counters);
    const [row, ...others] = rows;
    if (row === undefined || others.length > 0) {
      return writes.unit((queries) => raiseAll(queries, counters, statements), {
        locks: rows.map(nameOf),
        keeps: ({ granted }) => granted,
        // A rolled back upsert leaves a dead row version on PostgreSQL, and costs more round trips.
        ...(isRemote ? { look: (queries) => refusal(counters, rows, () => count(queries, rows)) } : {}),
      });
    }
    const raised = await raiseOne(row);
    const granted = raised.has(nameOf(row));
    return reserved(granted, counters, granted ? raised : await count(database, rows));
  };
}

/** The answer when one of the rows is full, else null. */
async function refusal(
  counters: readonly Counter[],
  rows: readonly RowUse[],
  count: () => Promise<CountsByRow>,
): Promise<Reserved | null> {
  const counts = await count();
  const isFull = rows.some((row) => {
    const { used, used_together } = countsIn(counts, row);
    return used + row.own.by > row.own.limit || used_together + row.together.by > row.together.limit;
  });
  return isFull ? reserved(false, counters, counts) : null;
}

function reserved(granted: boolean, counters: readonly Counter[], counts: CountsByRow): Reserved {
  return { granted, used: counters.map((counter) => countOf(counter, counts)) };
}
