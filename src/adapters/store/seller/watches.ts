import { type Selectable, sql } from 'kysely';
import * as z from 'zod';
import type { MostWatches, TakenWatch, Watch, WatchStore } from '../../../ports/seller.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { WatchRow } from '../engine/seller-tables.ts';
import { jsonOf, storedMoney, storedTime } from '../engine/stored-values.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { removeAll } from './remove-watches.ts';
import { webhookEvents } from './webhook-events.ts';

const storedState = z.strictObject({
  verdict: z.enum(['pay', 'skip', 'recheck']),
  price: storedMoney.nullable(),
  payTo: z.string().nullable(),
  at: storedTime,
});

export function sqlWatches(writes: Writes, dialect: Dialect): WatchStore {
  return {
    ...webhookEvents(writes, dialect),
    add: (watch, most) =>
      writes.unit(
        async (queries) => {
          // The limits count rows, so one watch at a time is added.
          await dialect.waitForTurn(queries, 'watches');
          return addWatch(queries, watch, most);
        },
        { keeps: (added) => added },
      ),
    remove: (urlKey) =>
      writes.unit(async (queries) => {
        const ids = (await watchesOf(queries, urlKey).execute()).map(({ id }) => id);
        await removeAll(queries, ids);
        return ids.length;
      }),
    take: (everyMs, now, limit) =>
      writes.unit(async (queries) => {
        const rows = await dueWatches(queries, dialect, limit);
        const ended = rows.filter(({ until }) => Number(until) <= now.getTime());
        await removeAll(
          queries,
          ended.map(({ id }) => id),
        );
        const due = rows.filter((row) => !ended.includes(row));
        const ids = due.map(({ id }) => id);
        const next = dialect.leaseEnd(everyMs);
        const update = queries.updateTable('watches').set({ look_at: next });
        if (ids.length > 0) await update.where(dialect.among('id', ids)).execute();
        return due.map(takenOf);
      }),
    note: ({ id, version }, seen, event) =>
      writes.unit(async (queries) => {
        const { numUpdatedRows } = await queries
          .updateTable('watches')
          .set({ seen: jsonOf(stateOf(seen)), version: version + 1 })
          .where('id', '=', id)
          .where('version', '=', version)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n) return false;
        if (event !== null) {
          const row = { id: event.id, watch_id: event.watchId, body: event.body, failed: 0, due_at: 0 };
          await queries.insertInto('webhook_events').values(row).execute();
        }
        return true;
      }),
  };
}

async function addWatch(queries: Queries, watch: Watch, most: MostWatches): Promise<boolean> {
  const { id, urlKey, originKey, ownerKey, url, method, webhook, until, seen } = watch;
  const same = await watchesOf(queries, urlKey).execute();
  const replaced = same.filter((row) => row.method === method && row.webhook === webhook);
  await removeAll(
    queries,
    replaced.map((row) => row.id),
  );
  if ((await countWhere(queries, 'host_key', '=', originKey)) >= most.ofOrigin) return false;
  if ((await countWhere(queries, 'owner_key', '=', ownerKey)) >= most.ofOwner) return false;
  // All of them, by an index: there are no more than the limit.
  if ((await countWhere(queries, 'look_at', '>=', 0)) >= most.inAll) return false;
  const row: WatchRow = {
    id,
    url_key: urlKey,
    host_key: originKey,
    owner_key: ownerKey,
    url,
    method,
    webhook,
    until: until.getTime(),
    seen: seen === null ? null : jsonOf(stateOf(seen)),
    version: 0,
    look_at: 0,
  };
  await queries.insertInto('watches').values(row).execute();
  return true;
}

/** Those that another process is about to take are left to it. */
function dueWatches(queries: Queries, dialect: Dialect, limit: number) {
  return queries
    .selectFrom('watches')
    .selectAll()
    .where('look_at', '<=', dialect.clock)
    .orderBy('look_at')
    .limit(limit)
    .modifyEnd(dialect.forUpdateSkipLocked)
    .execute();
}

function watchesOf(queries: Queries, urlKey: string) {
  return queries.selectFrom('watches').select(['id', 'method', 'webhook']).where('url_key', '=', urlKey);
}

async function countWhere(
  queries: Queries,
  column: 'host_key' | 'owner_key' | 'look_at',
  operator: '=' | '>=',
  value: string | number,
): Promise<number> {
  const counted = await queries
    .selectFrom('watches')
    .select(sql<number>`count(*)`.as('rows'))
    .where(column, operator, value)
    .executeTakeFirstOrThrow();
  return Number(counted.rows);
}

/** The state without what else an observation has. */
function stateOf({ verdict, price, payTo, at }: z.output<typeof storedState>) {
  return { verdict, price, payTo, at };
}

function takenOf(row: Selectable<WatchRow>): TakenWatch {
  return {
    id: row.id,
    urlKey: row.url_key,
    originKey: row.host_key,
    ownerKey: row.owner_key,
    url: row.url,
    method: row.method,
    webhook: row.webhook,
    until: new Date(Number(row.until)),
    seen: row.seen === null ? null : storedState.parse(JSON.parse(row.seen)),
    version: row.version,
  };
}
