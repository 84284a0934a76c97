import type { DueEvent, WatchStore } from '../../../ports/seller.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Writes } from '../engine/writes.ts';
import { removeAll } from './remove-watches.ts';

/** What watches have to send. The event of a process that died is due again when its lease ends. */
export function webhookEvents(
  writes: Writes,
  dialect: Dialect,
): Pick<WatchStore, 'takeEvents' | 'drop' | 'retry' | 'giveUp'> {
  return {
    takeEvents: (leaseMs, limit) =>
      writes.unit(async (queries) => {
        const due = await queries
          .selectFrom('webhook_events')
          .selectAll()
          .where('due_at', '<=', dialect.clock)
          .orderBy('due_at')
          .limit(limit)
          .modifyEnd(dialect.forUpdateSkipLocked)
          .execute();
        if (due.length === 0) return [];
        const lease = dialect.leaseEnd(leaseMs);
        const ids = due.map(({ id }) => id);
        await queries.updateTable('webhook_events').set({ due_at: lease }).where('id', 'in', ids).execute();
        const watchIds = due.map(({ watch_id }) => watch_id);
        const watches = await queries
          .selectFrom('watches')
          .select(['id', 'url', 'webhook', 'host_key'])
          .where('id', 'in', watchIds)
          .execute();
        const watchOf = new Map(watches.map((watch) => [watch.id, watch]));
        const orphans = due.filter(({ watch_id }) => !watchOf.has(watch_id)).map(({ id }) => id);
        if (orphans.length > 0) {
          await queries.deleteFrom('webhook_events').where('id', 'in', orphans).execute();
        }
        return due.flatMap(({ id, watch_id: watchId, body, failed }): DueEvent[] => {
          const watch = watchOf.get(watchId);
          if (watch === undefined) return [];
          const { url, webhook, host_key: originKey } = watch;
          return [{ id, watchId, body, failed, url, webhook, originKey }];
        });
      }),
    drop: (eventId) =>
      writes.one(async (queries) => {
        await queries.deleteFrom('webhook_events').where('id', '=', eventId).execute();
      }),
    retry: (eventId, failed, afterMs) =>
      writes.one(async (queries) => {
        await queries
          .updateTable('webhook_events')
          .set({ failed, due_at: dialect.leaseEnd(afterMs) })
          .where('id', '=', eventId)
          .execute();
      }),
    giveUp: ({ watchId }) => writes.unit((queries) => removeAll(queries, [watchId])),
  };
}
