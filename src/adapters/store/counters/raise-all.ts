import type { Counter } from '../../../core/access/quota.ts';
import type { Reserved } from '../../../ports/counter-store.ts';
import type { Queries } from '../engine/tables.ts';
import {
  byName,
  type CounterStatements,
  type CountsByRow,
  countOf,
  countsIn,
  nameOf,
  type RowUse,
  rowsOf,
} from './rows.ts';

/**
 * Raises every counter by one if all are below their limits. The caller rolls its transaction back when the answer is not
 * granted.
 */
export async function raiseAll(
  queries: Queries,
  counters: readonly Counter[],
  { raise, raiseEach, count }: CounterStatements,
): Promise<Reserved> {
  const rows = rowsOf(counters);
  // In one statement: a round trip for each row would be most of what a check waits for on PostgreSQL.
  const after = await (rows.length > 1 ? raiseEach : raise)(queries, rows);
  if (after.size < rows.length) {
    const raised = rows.filter((row) => after.has(nameOf(row)));
    const before = lowered(await count(queries, rows), raised);
    return { granted: false, used: counters.map((counter) => countOf(counter, before)) };
  }
  return { granted: true, used: counters.map((counter) => countOf(counter, after)) };
}

/** The counts before this call raised these rows. */
function lowered(counts: CountsByRow, raised: readonly RowUse[]): CountsByRow {
  const before = new Map(counts);
  for (const row of raised) {
    const { used, used_together } = countsIn(counts, row);
    before.set(nameOf(row), { used: used - row.own.by, used_together: used_together - row.together.by });
  }
  return before;
}

/** Lowers every counter by one, never below zero, in the same order of rows. */
export async function lowerAll(
  queries: Queries,
  counters: readonly Counter[],
  { lower }: CounterStatements,
): Promise<void> {
  for (const counter of [...counters].sort(byName)) await lower(queries, counter);
}
