import type { OpenEndpoints } from '../../../ports/probe-cache.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

export function sqlOpenEndpoints(database: Queries, writes: Writes): OpenEndpoints {
  return {
    async isOpen(key) {
      const row = await database
        .selectFrom('open_endpoints')
        .select('key')
        .where('key', '=', key)
        .executeTakeFirst();
      return row !== undefined;
    },
    async remember(key, at) {
      await writes.one((queries) =>
        queries
          .insertInto('open_endpoints')
          .values({ key, seen_at: at.getTime() })
          .onConflict((conflict) => conflict.column('key').doNothing())
          .execute(),
      );
    },
  };
}
