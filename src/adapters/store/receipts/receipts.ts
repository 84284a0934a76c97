import type { LiveReceipt } from '../../../core/receipt/live-receipt.ts';
import type { LiveReceiptStore } from '../../../ports/live-receipts.ts';
import { runPrepared } from '../engine/prepared.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { decodeLiveReceipt, encodeLiveReceipt } from './receipt-codec.ts';

export function sqlLiveReceipts(database: Queries, writes: Writes): LiveReceiptStore {
  /** Newest first; the indexes of the table hold this order. */
  const newestFirst = (mode: 'live' | 'dry-run', limit: number) =>
    database
      .selectFrom('live_receipts')
      .select('body')
      .where('mode', '=', mode)
      .orderBy('checked_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);

  return {
    add: (receipt, urlKey) => writes.one((queries) => insertReceipt(queries, receipt, urlKey)),
    async byId(id) {
      const query = database.selectFrom('live_receipts').select('body').where('id', '=', id);
      const [row] = (await runPrepared(database, 'receipt_by_id', query)).rows;
      return row === undefined ? null : decodeLiveReceipt(row.body);
    },
    async page({ type, ref }, below, limit) {
      let query = newestFirst(type, limit);
      if (ref !== null) query = query.where('ref', '=', ref);
      if (below !== null) {
        // One comparison of pairs, so that both engines start reading the index at the right row.
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('checked_at', 'id'), '<', tuple(below.checkedAt.getTime(), below.id)),
        );
      }
      const rows = await query.execute();
      return rows.map(({ body }) => decodeLiveReceipt(body));
    },
    async latestOf(urlKey, mode, limit) {
      const query = newestFirst(mode, limit).where('url_key', '=', urlKey);
      const { rows } = await runPrepared(database, 'receipts_of_url', query);
      return rows.map(({ body }) => decodeLiveReceipt(body));
    },
  };
}

export async function insertReceipt(queries: Queries, receipt: LiveReceipt, urlKey: string): Promise<void> {
  const query = queries.insertInto('live_receipts').values(liveReceiptRow(receipt, urlKey));
  await runPrepared(queries, 'add_receipt', query);
}

export function liveReceiptRow(receipt: LiveReceipt, urlKey: string): Tables['live_receipts'] {
  return {
    id: receipt.id,
    mode: receipt.mode,
    ref: receipt.ref,
    checked_at: receipt.checkedAt.getTime(),
    url_key: urlKey,
    body: encodeLiveReceipt(receipt),
  };
}
