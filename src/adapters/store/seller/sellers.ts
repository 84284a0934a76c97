import { newestTime } from '../../../core/is-dated-ahead.ts';
import type { Retest, SellerStore } from '../../../ports/seller.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { RetestRow } from '../engine/seller-tables.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { raiseRevision } from './raise-revision.ts';
import { replies } from './replies.ts';

export function sqlSellers(database: Queries, writes: Writes, dialect: Dialect): SellerStore {
  return {
    keepRetest: (retest) =>
      writes.unit(async (queries) => {
        const row = retestRow(retest);
        await queries
          .insertInto('retests')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['url_key', 'method'])
              .doUpdateSet(row)
              .where(({ eb, or }) =>
                or([
                  eb('retests.checked_at', '<=', row.checked_at),
                  eb('retests.checked_at', '>', newestTime(retest.checkedAt).getTime()),
                ]),
              ),
          )
          .execute();
        await raiseRevision(queries);
      }),
    async retestsOf(spellingKeys, now) {
      if (spellingKeys.length === 0) return [];
      const rows = await database
        .selectFrom('retests')
        .selectAll()
        .where(dialect.among('url_key', spellingKeys))
        .where('checked_at', '<=', newestTime(now).getTime())
        .execute();
      return rows.map(retestOf);
    },
    ...replies(database, writes, dialect),
    async revision() {
      const row = await database
        .selectFrom('seller_revision')
        .select('revision')
        .where('id', '=', 1)
        .executeTakeFirst();
      return row === undefined ? null : String(row.revision);
    },
  };
}

function retestRow({
  spellingKey,
  method,
  verdict,
  reason,
  needsInput,
  receiptId,
  checkedAt,
}: Retest): RetestRow {
  return {
    url_key: spellingKey,
    method,
    verdict,
    reason,
    needs_input: needsInput ? 1 : 0,
    receipt_id: receiptId,
    checked_at: checkedAt.getTime(),
  };
}

function retestOf({
  url_key,
  method,
  verdict,
  reason,
  needs_input,
  receipt_id,
  checked_at,
}: RetestRow): Retest {
  return {
    spellingKey: url_key,
    method,
    verdict,
    reason,
    needsInput: Number(needs_input) === 1,
    receiptId: receipt_id,
    checkedAt: new Date(Number(checked_at)),
  };
}
