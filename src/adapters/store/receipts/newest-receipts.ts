import type { WantedLatest } from '../../../ports/live-receipts.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';

interface Newest extends Pick<WantedLatest, 'mode' | 'limit'> {
  /** Null: of all weeks. */
  readonly since: number | null;
}

/** Newest first; the indexes of the table hold this order. */
export function newestFirst(database: Queries, { mode, limit, since }: Newest) {
  const query = database
    .selectFrom('live_receipts')
    .where('mode', '=', mode)
    .orderBy('checked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  return since === null ? query : query.where('checked_at', '>=', since);
}

const RECENT_MS = 604_800_000;

/**
 * To plan a query over all weeks takes the server longer than to run it, so the newest alone come first, which nearly always are
 * enough. The time decides only about that: whatever it is, the rows are the same.
 */
export async function newestWeeksFirst<Row>(
  { hasPartitions }: Dialect,
  newest: Date,
  limit: number,
  read: (since: number | null) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if (!hasPartitions) return read(null);
  const rows = await read(newest.getTime() - RECENT_MS);
  return rows.length >= limit ? rows : read(null);
}
