import { sql } from 'kysely';
import { previousRow, publishedPlace } from '../crawl/place-in-run.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';

/** A removed receipt, and its place in the order of its run. */
export interface Removed {
  /** Its statement, or the body that a release before statements has stored. */
  readonly body: string;
  readonly urlKey: string;
  readonly runId: string | null;
  readonly seq: number | null;
}

export async function removeLive(queries: Queries, dialect: Dialect, id: string): Promise<Removed | null> {
  const row = await queries
    .selectFrom('live_receipts')
    .select(['body', 'url_key'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  await queries.deleteFrom('live_receipts').where('id', '=', id).execute();
  // The answer of a paid check has the receipt. Without it the payment is as after its time, and stays settled.
  await queries
    .updateTable('payments')
    .set({ frozen_at: null, answer: null, claimed_from: null, delivered_to: null })
    .where('answer', 'is not', null)
    .where(dialect.contains(sql`answer`, id))
    .execute();
  return { body: row.body, urlKey: row.url_key, runId: null, seq: null };
}

export async function removeCrawl(queries: Queries, dialect: Dialect, id: string): Promise<Removed | null> {
  // A place is counted from the withdrawals before it, so they go one after another.
  await dialect.waitForTurn(queries, 'withdrawals of crawl receipts');
  const row = await publishedPlace(queries, id);
  if (row === null) return null;
  const { runId, url } = row;
  const before = await previousRow(queries, { runId, url, id });
  await queries
    .updateTable('crawl_pages')
    // Before the first row there is none: no URL is smaller than the empty text.
    .set({ after_url: before?.url ?? '', after_id: before?.id ?? '' })
    .where('run_id', '=', runId)
    .where('after_url', '=', url)
    .where('after_id', '=', id)
    .execute();
  await queries.deleteFrom('crawl_receipts').where('id', '=', id).execute();
  return { body: row.body, urlKey: row.urlKey, runId, seq: row.index };
}
