import { sql } from 'kysely';
import type { LiveReceiptStore } from '../../../ports/live-receipts.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import { newestFirst, newestWeeksFirst } from './newest-receipts.ts';
import { decodeListedReceipt } from './receipt-codec.ts';

/** Listings of receipts. */
export function receiptPages(database: Queries, dialect: Dialect): Pick<LiveReceiptStore, 'page'> {
  return {
    async page({ type, ref }, below, limit) {
      const rows = await newestWeeksFirst(dialect, below.checkedAt, limit, (since) => {
        // The whole receipt, with up to 64 entries of a challenge, is read only where there is nothing else.
        let query = newestFirst(database, { mode: type, limit, since }).select(
          sql<string>`coalesce(listed, body)`.as('listed'),
        );
        if (ref !== null) query = query.where('ref', '=', ref);
        // One comparison of pairs, so that both engines start reading the index at the right row.
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('checked_at', 'id'), '<', tuple(below.checkedAt.getTime(), below.id)),
        );
        // A comparison of pairs leaves no partition out.
        if (dialect.hasPartitions) query = query.where('checked_at', '<=', below.checkedAt.getTime());
        return query.execute();
      });
      return rows.map(({ listed }) => decodeListedReceipt(listed));
    },
  };
}
