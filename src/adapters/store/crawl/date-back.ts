import { sql } from 'kysely';
import { CLOCKS_APART_MS } from '../../../core/limits.ts';
import type { Queries } from '../engine/tables.ts';

/**
 * A wrong clock had dated runs in the future: they come before this one, in their own order, or it would not be shown for as long. What
 * they say about their time stays.
 */
export async function dateBack(queries: Queries, crawledAtMs: number): Promise<void> {
  const { latest } = await queries
    .selectFrom('crawl_runs')
    .select(({ fn }) => fn.max<number | string | null>('crawled_at').as('latest'))
    .executeTakeFirstOrThrow();
  const aheadMs = Number(latest ?? 0) - crawledAtMs;
  if (aheadMs <= CLOCKS_APART_MS) return;
  await queries
    .updateTable('crawl_runs')
    .set({ crawled_at: sql<number>`crawled_at - ${aheadMs + 1}` })
    .where('crawled_at', '>=', crawledAtMs)
    .execute();
}
