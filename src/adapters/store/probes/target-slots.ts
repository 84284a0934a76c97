import { sql } from 'kysely';
import { PROBES_IN_FLIGHT_PER_HOST } from '../../../core/limits.ts';
import type { SlotHolder, TargetSlots } from '../../../ports/target-slots.ts';
import { forgetOldest } from '../engine/forget-oldest.ts';
import { clock, leaseEnd } from '../engine/lease-clock.ts';
import type { Engine, Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

/** A lease ends with its machine, so a commit need not wait for the disk. */
const REPEATABLE = { isRepeatable: true } as const;

/** One row per slot, numbered from 1: the primary key is the limit, and no lock is needed beside it. */
export function sqlTargetSlots(writes: Writes, engine: Engine): TargetSlots {
  return {
    hold: (holder, limit, leaseMs) =>
      writes.unit(async (queries) => {
        await freeExpired(queries, engine, holder.targetKey);
        const renewed = await queries
          .updateTable('target_slots')
          .set({ until: leaseEnd(engine, leaseMs) })
          .where('target_key', '=', holder.targetKey)
          .where('holder', '=', holder.holder)
          .returning('slot')
          .execute();
        const missing = limit - renewed.length;
        const taken =
          missing > 0 ? await takeFree(queries, engine, { ...holder, probeKey: null }, missing, leaseMs) : 0;
        return renewed.length + taken;
      }, REPEATABLE),
    free: (holder) => writes.one((queries) => freeSlots(queries, holder), REPEATABLE),
    prune: (limit) =>
      writes.one((queries) =>
        forgetOldest(queries, engine, {
          table: 'target_slots',
          key: ['target_key', 'slot'],
          where: sql<boolean>`until < (select ${clock(engine)})`,
          orderBy: ['until'],
          limit,
        }),
      ),
  };
}

export interface SlotClaim extends SlotHolder {
  /** Method and URL; no two slots of a target have the same. Null: the crawl, which holds slots for any URL. */
  readonly probeKey: string | null;
}

/** Takes free slots, the lowest first; answers how many. A concurrent taker may win a slot: nothing is taken then. */
export async function takeFree(
  queries: Queries,
  engine: Engine,
  { targetKey, holder, probeKey }: SlotClaim,
  limit: number,
  leaseMs: number,
): Promise<number> {
  const { rows } = await sql`
    insert into target_slots (target_key, slot, holder, probe_key, until)
    select ${targetKey}, slot, ${holder}, ${probeKey}, ${leaseEnd(engine, leaseMs)}
    from (${SLOT_NUMBERS}) numbers
    where slot not in (select slot from target_slots where target_key = ${targetKey})
    order by slot limit ${limit}
    on conflict do nothing
    returning slot`.execute(queries);
  return rows.length;
}

const SLOT_NUMBERS = sql.raw(
  Array.from({ length: PROBES_IN_FLIGHT_PER_HOST }, (_, at) => `select ${at + 1} as slot`).join(
    ' union all ',
  ),
);

/** Answers whether there were any. */
export async function freeExpired(queries: Queries, engine: Engine, targetKey: string): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('target_slots')
    .where('target_key', '=', targetKey)
    .where('until', '<=', clock(engine))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function freeSlots(queries: Queries, { targetKey, holder }: SlotHolder): Promise<void> {
  await queries
    .deleteFrom('target_slots')
    .where('target_key', '=', targetKey)
    .where('holder', '=', holder)
    .execute();
}
