import { newestTime } from '../../../core/is-dated-ahead.ts';
import { QUOTE_SECONDS } from '../../../core/limits.ts';
import type { QuoteStore } from '../../../ports/quote-store.ts';
import type { Dialect } from '../engine/dialect.ts';
import { forgetOldest, isBefore } from '../engine/forget-oldest.ts';
import { runPrepared } from '../engine/prepared.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

export function sqlQuotes(database: Queries, writes: Writes, dialect: Dialect): QuoteStore {
  return {
    async remember({ key, amount }, until) {
      const row = { key, amount: amount.toString(), until: until.getTime() };
      const query = database
        .insertInto('quotes')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['key', 'amount'])
            .doUpdateSet({ until: row.until })
            .where(({ eb, or }) =>
              or([eb('quotes.until', '<', row.until), eb('quotes.until', '>', newestTime(until).getTime())]),
            ),
        );
      await writes.one((queries) => runPrepared(queries, 'remember_quote', query));
    },
    async isOpen({ key, amount }, now) {
      const row = await database
        .selectFrom('quotes')
        .select('until')
        .where('key', '=', key)
        .where('amount', '=', amount.toString())
        .where('until', '>', now.getTime())
        .where('until', '<=', newestTime(now).getTime() + QUOTE_SECONDS * 1_000)
        .executeTakeFirst();
      return row !== undefined;
    },
    prune: (before, limit) =>
      writes.one((queries) =>
        forgetOldest(queries, dialect, {
          table: 'quotes',
          key: ['key', 'amount'],
          where: isBefore('until', before),
          orderBy: ['until'],
          limit,
        }),
      ),
  };
}
