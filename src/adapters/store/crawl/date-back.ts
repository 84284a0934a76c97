import { sql } from 'kysely';
import { isDatedAhead } from '../../../core/is-dated-ahead.ts';
import type { Queries } from '../engine/tables.ts';

/**
 * A wrong clock had dated runs in the future: they come before this one, in their own order, or it would not be shown for as long. What
 * they say about their time stays.
 */
export async function dateBack(queries: Queries, crawledAt: Date): Promise<void> {
  const { latest } = await queries
    .selectFrom('crawl_runs')
    .select(({ fn }) => fn.max<number | string | null>('crawled_at').as('latest'))
    .executeTakeFirstOrThrow();
  const latestMs = Number(latest ?? 0);
  if (!isDatedAhead(latestMs, crawledAt)) return;
  await queries
    .updateTable('crawl_runs')
    .set({ crawled_at: sql<number>`crawled_at - ${latestMs - crawledAt.getTime() + 1}` })
    .where('crawled_at', '>=', crawledAt.getTime())
    .execute();
}
