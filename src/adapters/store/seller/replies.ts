import * as z from 'zod';
import type { Reply, SellerStore } from '../../../ports/seller.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { raiseRevision } from './raise-revision.ts';

const storedDocument = z.strictObject({ statement: z.string(), key: z.string(), signature: z.string() });

/** The newest statement about a URL counts, in whatever order they come. */
export function replies(
  database: Queries,
  writes: Writes,
  dialect: Dialect,
): Pick<SellerStore, 'keepReply' | 'withdrawReply' | 'repliesOf'> {
  return {
    keepReply: ({ urlKey, note, at, signed }) =>
      writes.unit(async (queries) => {
        const row = { url_key: urlKey, signed_at: at.getTime(), note, signed: JSON.stringify(signed) };
        const { numInsertedOrUpdatedRows = 0n } = await queries
          .insertInto('replies')
          .values(row)
          .onConflict((conflict) =>
            conflict.column('url_key').doUpdateSet(row).where('replies.signed_at', '<=', row.signed_at),
          )
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) return false;
        await raiseRevision(queries);
        return true;
      }),
    withdrawReply: (urlKey, at) =>
      writes.unit(async (queries) => {
        const { numUpdatedRows } = await queries
          .updateTable('replies')
          .set({ note: null, signed: null, signed_at: at.getTime() })
          .where('url_key', '=', urlKey)
          .where('signed_at', '<=', at.getTime())
          .where('note', 'is not', null)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        await raiseRevision(queries);
        return true;
      }),
    async repliesOf(urlKeys) {
      if (urlKeys.length === 0) return [];
      const rows = await database
        .selectFrom('replies')
        .selectAll()
        .where(dialect.among('url_key', urlKeys))
        .execute();
      return rows.flatMap(({ url_key: urlKey, signed_at, note, signed }): Reply[] => {
        if (note === null || signed === null) return [];
        const document = storedDocument.parse(JSON.parse(signed));
        return [{ urlKey, note, at: new Date(Number(signed_at)), signed: document }];
      });
    },
  };
}
