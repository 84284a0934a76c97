import { utcDay } from '../../../core/access/utc-window.ts';
import { microUsd } from '../../../core/money/micro-usd.ts';
import type { Spent } from '../../../ports/paid-calls.ts';
import { TOO_MUCH_MONEY } from '../engine/stored-values.ts';
import type { Queries } from '../engine/tables.ts';

// Sums are stored, because summing all calls would take longer every day. The row of the day is always locked before the
// total, so that two calls cannot deadlock.
const TOTAL = 'total';

export interface Raise {
  readonly at: Date;
  readonly amount: number;
  readonly perDay: number;
  readonly total: number;
}

/** Adds an amount unless it would exceed a cap. On a refusal the caller rolls back. */
export async function raiseWithin(
  queries: Queries,
  { at, amount, perDay, total }: Raise,
): Promise<'begun' | 'day_cap' | 'total_cap'> {
  if (!(await raise(queries, utcDay(at), amount, perDay))) return 'day_cap';
  return (await raise(queries, TOTAL, amount, total)) ? 'begun' : 'total_cap';
}

async function raise(queries: Queries, scope: string, amount: number, cap: number): Promise<boolean> {
  if (amount > cap) return false;
  const raised = await queries
    .insertInto('spending')
    .values({ scope, spent: amount })
    .onConflict((conflict) =>
      conflict
        .column('scope')
        .doUpdateSet(({ eb }) => ({ spent: eb('spending.spent', '+', amount) }))
        .where('spending.spent', '<=', cap - amount),
    )
    .returning('scope')
    .execute();
  return raised.length === 1;
}

/** Corrects the sums once the charged amount is known. */
export async function lowerOrRaise(
  queries: Queries,
  { at, by }: { readonly at: Date; readonly by: number },
): Promise<void> {
  if (by === 0) return;
  const most = Number.MAX_SAFE_INTEGER - Math.max(0, by);
  for (const scope of [utcDay(at), TOTAL]) {
    const { numUpdatedRows } = await queries
      .updateTable('spending')
      .set(({ eb }) => ({ spent: eb('spent', '+', by) }))
      .where('scope', '=', scope)
      .where('spent', '<=', most)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new Error(TOO_MUCH_MONEY);
  }
}

export async function readSpent(database: Queries, now: Date): Promise<Spent> {
  const day = utcDay(now);
  const rows = await database
    .selectFrom('spending')
    .select(['scope', 'spent'])
    .where('scope', 'in', [day, TOTAL])
    .execute();
  const of = (wanted: string) => microUsd(BigInt(rows.find(({ scope }) => scope === wanted)?.spent ?? 0));
  return { day: of(day), total: of(TOTAL) };
}
