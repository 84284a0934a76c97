import type { QuoteStore } from '../../ports/quote-store.ts';
import type { Engine, Queries } from './tables.ts';
import type { Writes } from './writes.ts';

export function sqlQuotes(database: Queries, writes: Writes, engine: Engine): QuoteStore {
  return {
    async remember({ key, amount }, until) {
      const row = { key, amount: amount.toString(), until: until.getTime() };
      await writes.one((queries) =>
        queries
          .insertInto('quotes')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['key', 'amount'])
              .doUpdateSet({ until: row.until })
              .where('quotes.until', '<', row.until),
          )
          .execute(),
      );
    },
    async isOpen({ key, amount }, now) {
      const row = await database
        .selectFrom('quotes')
        .select('until')
        .where('key', '=', key)
        .where('amount', '=', amount.toString())
        .where('until', '>', now.getTime())
        .executeTakeFirst();
      return row !== undefined;
    },
    async prune(before, limit) {
      const { numDeletedRows } = await writes.one((queries) =>
        queries
          // Chosen once and then deleted: a subquery with a limit may run again and delete more.
          .with(
            (cte) => cte('old').materialized(),
            (from) =>
              from
                .selectFrom('quotes')
                .select(['key', 'amount'])
                .where('until', '<', before.getTime())
                .orderBy('until')
                .limit(limit)
                .$if(engine === 'postgres', (rows) => rows.forUpdate().skipLocked()),
          )
          .deleteFrom('quotes')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('key', 'amount'),
              'in',
              selectFrom('old').select(['key', 'amount']).$asTuple('key', 'amount'),
            ),
          )
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}
