import type { CounterStore } from '../../ports/counter-store.ts';
import { batchedReserve } from './reserve-batch.ts';
import type { Engine } from './tables.ts';
import type { Writes } from './writes.ts';

export function sqlCounters(writes: Writes, engine: Engine): CounterStore {
  const reserve = batchedReserve(writes, engine);
  return {
    reserve: async (counters) => (counters.length === 0 ? { granted: true, used: [] } : reserve(counters)),
    async giveBack({ key, window }) {
      await writes.one((queries) =>
        queries
          .updateTable('counters')
          .set(({ eb }) => ({ used: eb('used', '-', 1) }))
          .where('key', '=', key)
          .where('window', '=', window)
          .where('used', '>', 0)
          .execute(),
      );
    },
    async prune(before, limit) {
      const { numDeletedRows } = await writes.one((queries) =>
        queries
          // Chosen once and then deleted: a subquery with a limit may run again and delete more.
          .with(
            (cte) => cte('ended').materialized(),
            (from) =>
              from
                .selectFrom('counters')
                .select(['key', 'window'])
                .where('expires_at', '<', before.getTime())
                .orderBy('expires_at')
                .limit(limit)
                .$if(engine === 'postgres', (rows) => rows.forUpdate().skipLocked()),
          )
          .deleteFrom('counters')
          .where(({ eb, refTuple, selectFrom }) =>
            eb(
              refTuple('key', 'window'),
              'in',
              selectFrom('ended').select(['key', 'window']).$asTuple('key', 'window'),
            ),
          )
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}
