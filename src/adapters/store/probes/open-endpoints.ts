import type { OpenEndpoints } from '../../../ports/probe-cache.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

export function sqlOpenEndpoints(database: Queries, writes: Writes): OpenEndpoints {
  return {
    async isOpen(urlKey) {
      const row = await database
        .selectFrom('open_endpoints')
        .select('url_key')
        .where('url_key', '=', urlKey)
        .executeTakeFirst();
      return row !== undefined;
    },
    async remember(urlKey, at) {
      await writes.one((queries) =>
        queries
          .insertInto('open_endpoints')
          .values({ url_key: urlKey, seen_at: at.getTime() })
          .onConflict((conflict) => conflict.column('url_key').doNothing())
          .execute(),
      );
    },
  };
}
