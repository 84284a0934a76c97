import { sql } from 'kysely';
import type { PaymentState } from '../../../ports/payment-ledger.ts';
import type { Dialect } from '../engine/dialect.ts';
import { forgetOldest, isBefore } from '../engine/forget-oldest.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

/** Clears old answers and who presented their payments, and deletes payments that were never settled; at most `limit` rows in all. */
export async function forgetPayments(
  writes: Writes,
  dialect: Dialect,
  before: Date,
  limit: number,
): Promise<number> {
  const answers = await writes.one((queries) => forgetAnswers(queries, dialect, before, limit));
  if (answers >= limit) return answers;
  return answers + (await writes.one((queries) => forgetLapsed(queries, dialect, before, limit - answers)));
}

async function forgetAnswers(
  queries: Queries,
  dialect: Dialect,
  before: Date,
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await queries
    // Materialized: PostgreSQL may evaluate a subquery with a limit more than once, and would change more.
    .with(
      (cte) => cte('old').materialized(),
      (from) =>
        from
          .selectFrom('payments')
          .select('key')
          .where('frozen_at', '<', before.getTime())
          .orderBy('frozen_at')
          .limit(limit)
          .modifyEnd(dialect.forUpdateSkipLocked),
    )
    .updateTable('payments')
    // Without the answer nobody has to be recognised.
    .set({ frozen_at: null, answer: null, claimed_from: null, delivered_to: null })
    .where('key', 'in', (from) => from.selectFrom('old').select('key'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Literals and not parameters: only then an engine uses the partial index of these states. */
export const LAPSED_STATES = [sql.lit<PaymentState>('claimed'), sql.lit<PaymentState>('rejected')];

/** Claims that expired, and rejections, before this time: they could have been claimed anew since then. */
function forgetLapsed(queries: Queries, dialect: Dialect, before: Date, limit: number): Promise<number> {
  return forgetOldest(queries, dialect, {
    table: 'payments',
    key: ['key'],
    where: sql<boolean>`state in (${sql.join(LAPSED_STATES)}) and ${isBefore('held_until', before)}`,
    orderBy: ['held_until'],
    limit,
  });
}
