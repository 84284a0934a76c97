import { sql } from 'kysely';
import { PROBES_IN_FLIGHT_PER_ADDRESS, PROBES_IN_FLIGHT_PER_HOST } from '../../../core/limits.ts';
import type { SlotHolder, TargetSlots } from '../../../ports/target-slots.ts';
import type { Dialect } from '../engine/dialect.ts';
import { forgetOldest } from '../engine/forget-oldest.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

/** A lease ends with its machine, so a commit need not wait for the disk. */
const REPEATABLE = { isRepeatable: true } as const;

const numbered = (length: number): readonly number[] => Array.from({ length }, (_, index) => index + 1);

export const HOST_SLOTS = numbered(PROBES_IN_FLIGHT_PER_HOST);
export const ADDRESS_SLOTS = numbered(PROBES_IN_FLIGHT_PER_ADDRESS);

/** One row per slot, numbered from 1: the primary key is the limit, and no lock is needed beside it. */
export function sqlTargetSlots(writes: Writes, dialect: Dialect, statements: SlotStatements): TargetSlots {
  return {
    hold: (holder, { most, upTo }, leaseMs) =>
      writes.unit(async (queries) => {
        await statements.freeExpired(queries, holder.targetKey);
        const renewed = await queries
          .updateTable('target_slots')
          .set({ until: dialect.leaseEnd(leaseMs) })
          .where('target_key', '=', holder.targetKey)
          .where('holder', '=', holder.holder)
          .returning('slot')
          .execute();
        let held = renewed.length;
        for (const slot of numbered(upTo)) {
          if (held >= most) break;
          const isTaken = await statements.take(queries, { ...holder, slot, probeKey: null }, leaseMs);
          held += isTaken ? 1 : 0;
        }
        return held;
      }, REPEATABLE),
    free: ({ targetKey, holder }) =>
      writes.one((queries) => statements.free(queries, holder, [targetKey]), REPEATABLE),
    prune: (limit) =>
      writes.one((queries) =>
        forgetOldest(queries, dialect, {
          table: 'target_slots',
          key: ['target_key', 'slot'],
          where: sql<boolean>`until < (select ${dialect.clock})`,
          orderBy: ['until'],
          limit,
        }),
      ),
  };
}

export interface SlotClaim extends SlotHolder {
  readonly slot: number;
  /** Method and URL; no two slots of a target have the same. Null: the crawl, which holds slots for any URL. */
  readonly probeKey: string | null;
}

export interface SlotStatements {
  /** Answers whether the slot was free and the probe key not in use. */
  take(queries: Queries, claim: SlotClaim, leaseMs: number): Promise<boolean>;
  /** All slots of the holder at these targets. */
  free(queries: Queries, holder: string, targetKeys: readonly string[]): Promise<void>;
  freeExpired(queries: Queries, targetKey: string): Promise<void>;
  taken(queries: Queries, targetKey: string): Promise<readonly TakenSlot[]>;
}

interface TakenSlot {
  readonly slot: number;
  readonly probe_key: string | null;
}

export function slotStatements(dialect: Dialect): SlotStatements {
  const now = dialect.clockText;
  const take = dialect.statement<TakenSlot>(
    'take_slot',
    `insert into target_slots (target_key, slot, holder, probe_key, until)
      values (?, ?, ?, ?, ${now} + cast(? AS bigint))
      on conflict do nothing returning slot, probe_key`,
  );
  const free = dialect.statement('free_slots', FREE_SLOTS);
  const freeExpired = dialect.statement(
    'free_expired_slots',
    `delete from target_slots where target_key = ? and until <= ${now}`,
  );
  const taken = dialect.statement<TakenSlot>(
    'taken_slots',
    'select slot, probe_key from target_slots where target_key = ?',
  );
  return {
    async take(queries, { targetKey, slot, holder, probeKey }, leaseMs) {
      const { rows } = await queries.executeQuery(take([targetKey, slot, holder, probeKey, leaseMs]));
      return rows.length === 1;
    },
    async free(queries, holder, targetKeys) {
      await queries.executeQuery(free(slotsOf(holder, targetKeys)));
    },
    async freeExpired(queries, targetKey) {
      await queries.executeQuery(freeExpired([targetKey]));
    },
    async taken(queries, targetKey) {
      return (await queries.executeQuery(taken([targetKey]))).rows;
    },
  };
}

export const FREE_SLOTS = 'delete from target_slots where target_key in (?, ?, ?) and holder = ?';

/** Its values: a host and port, and the addresses of a probe, two at most. A key that is given twice changes nothing. */
export function slotsOf(
  holder: string,
  [first = '', second = first, third = first]: readonly string[],
): readonly string[] {
  return [first, second, third, holder];
}
