import type { CompiledQuery } from 'kysely';
import type { CheckEnd, CheckWrites, ProbeStart, StartAnswer } from '../../../ports/check-writes.ts';
import type { StoredProbe } from '../../../ports/probe-cache.ts';
import { lowerAll, raiseAll } from '../counters/raise-all.ts';
import type { CounterStatements } from '../counters/rows.ts';
import type { Dialect } from '../engine/dialect.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { type ReceiptStatements, receiptRows, receiptTexts } from '../receipts/receipts.ts';
import { KEEP_PROBE, type ProbeStatements, probeRow } from './probes.ts';
import {
  ADDRESS_SLOTS,
  FREE_SLOTS,
  HOST_SLOTS,
  type SlotClaim,
  type SlotStatements,
  slotsOf,
} from './target-slots.ts';

export interface CheckStatements {
  readonly counters: CounterStatements;
  readonly slots: SlotStatements;
  readonly probes: ProbeStatements;
  readonly receipts: ReceiptStatements;
}

export function sqlCheckWrites(writes: Writes, dialect: Dialect, statements: CheckStatements): CheckWrites {
  const { counters, slots, probes } = statements;
  const finishAtOnce = finishStatement(dialect);
  return {
    start: (start, leaseMs) =>
      writes.unit((queries) => begin(queries, start, leaseMs, statements), {
        keeps: ({ kind }) => kind === 'started',
      }),
    finish(start, probe, end) {
      const atOnce = finishAtOnce(start, probe, end);
      if (atOnce !== null) return writes.one(async (queries) => void (await queries.executeQuery(atOnce)));
      return writes.unit(async (queries) => {
        await freeSlots(queries, start, slots);
        await probes.keep(queries, start.key, probe);
        await keepEnd(queries, end, statements);
      });
    },
    abandon: (start, givenBack) =>
      writes.unit(async (queries) => {
        await freeSlots(queries, start, slots);
        await lowerAll(queries, givenBack, counters);
      }),
    record: (reserved, end) =>
      writes.unit(
        async (queries) => {
          const answer = await raiseAll(queries, reserved, counters);
          if (answer.granted) await keepEnd(queries, end, statements);
          return answer;
        },
        { keeps: ({ granted }) => granted },
      ),
  };
}

/** What nearly every check writes at its end: one statement, which takes one round trip to a server. Null where it takes several. */
function finishStatement(
  dialect: Dialect,
): (start: ProbeStart, probe: StoredProbe, end: CheckEnd) => CompiledQuery | null {
  const together = dialect.together('finish_probe', [FREE_SLOTS, KEEP_PROBE, ...receiptTexts(dialect)]);
  return (start, probe, { kept, givenBack }) => {
    if (together === null || kept === null || givenBack.length > 0) return null;
    const { id, entry, row } = receiptRows(kept);
    if (entry === null) return null;
    const freed = slotsOf(start.holder, [start.targetKey, ...start.addressKeys]);
    return together([...freed, ...probeRow(start.key, probe), id, entry, ...row]);
  };
}

async function freeSlots(
  queries: Queries,
  { holder, targetKey, addressKeys }: ProbeStart,
  slots: SlotStatements,
): Promise<void> {
  await slots.free(queries, holder, [targetKey, ...addressKeys]);
}

/** Slots before counters, here and in `finish`: every process locks rows in this order. */
async function begin(
  queries: Queries,
  start: ProbeStart,
  leaseMs: number,
  { counters, slots, probes }: CheckStatements,
): Promise<StartAnswer> {
  const refused = await takeSlots(queries, start, leaseMs, slots);
  if (refused !== null) return { kind: refused };
  // After the slot: `finish` keeps a probe and frees its slot in one commit.
  const known = await probes.newer(queries, start.key, start.newerThan);
  if (known !== null) return { kind: 'known', probedAt: known };
  const { granted, used } = await raiseAll(queries, start.counters, counters);
  return { kind: granted ? 'started' : 'exhausted', used };
}

/**
 * The host first, then the addresses in the order of their keys, one after the other: a transaction that has a slot of a later
 * target while it waits for an earlier one could deadlock with another.
 */
async function takeSlots(
  queries: Queries,
  start: ProbeStart,
  leaseMs: number,
  slots: SlotStatements,
): Promise<'full' | 'in_flight' | null> {
  const { targetKey, holder, addressKeys } = start;
  const probeKey = `${start.key.method} ${start.key.urlKey}`;
  const refused = await takeSlot(queries, { targetKey, holder, probeKey }, HOST_SLOTS, leaseMs, slots);
  if (refused !== null) return refused;
  for (const addressKey of addressKeys.toSorted()) {
    const claim = { targetKey: addressKey, holder, probeKey: null };
    const atAddress = await takeSlot(queries, claim, fromSomewhere(ADDRESS_SLOTS, holder), leaseMs, slots);
    if (atAddress !== null) return atAddress;
  }
  return null;
}

/** Null when a slot is taken. Most targets are idle, so one slot is tried before the others are read. */
async function takeSlot(
  queries: Queries,
  claim: Omit<SlotClaim, 'slot'>,
  numbers: readonly number[],
  leaseMs: number,
  slots: SlotStatements,
): Promise<'full' | 'in_flight' | null> {
  let slot = numbers[0];
  // A concurrent start can win the same free slot. Each one that does leaves one slot less, so the loop ends.
  for (let lost = 0; slot !== undefined && lost <= numbers.length; lost += 1) {
    if (await slots.take(queries, { slot, ...claim }, leaseMs)) return null;
    await slots.freeExpired(queries, claim.targetKey);
    const taken = await slots.taken(queries, claim.targetKey);
    if (claim.probeKey !== null && taken.some(({ probe_key }) => probe_key === claim.probeKey)) {
      return 'in_flight';
    }
    slot = numbers.find((number) => taken.every((other) => other.slot !== number));
  }
  return 'full';
}

/** An address is often busy, and its lowest slots are the crawl's: each probe begins elsewhere, by its random name. */
function fromSomewhere(numbers: readonly number[], holder: string): readonly number[] {
  const at = [...holder].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % numbers.length;
  return [...numbers.slice(at), ...numbers.slice(0, at)];
}

async function keepEnd(
  queries: Queries,
  { kept, givenBack }: CheckEnd,
  { counters, receipts }: CheckStatements,
): Promise<void> {
  if (kept !== null) await receipts.insert(queries, kept);
  await lowerAll(queries, givenBack, counters);
}
