import type { Queries } from '../engine/tables.ts';

/**
 * Watches with what they still had to send. The watches first: whoever notes a change at this moment has their rows, so that its
 * event is there to be removed when we get them.
 */
export async function removeAll(queries: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await queries.deleteFrom('watches').where('id', 'in', ids).execute();
  await queries.deleteFrom('webhook_events').where('watch_id', 'in', ids).execute();
}
