import { PROBES_IN_FLIGHT_PER_HOST } from '../../../core/limits.ts';
import type { CheckEnd, CheckWrites, ProbeStart, StartAnswer } from '../../../ports/check-writes.ts';
import { lowerAll, raiseAll } from '../counters/raise-all.ts';
import type { CounterStatements } from '../counters/rows.ts';
import type { Engine, Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { insertReceipt } from '../receipts/receipts.ts';
import { keepProbe } from './probes.ts';
import { freeExpired, freeSlots, takeFree } from './target-slots.ts';

export function sqlCheckWrites(writes: Writes, engine: Engine, statements: CounterStatements): CheckWrites {
  return {
    start: (start, leaseMs) =>
      writes.unit((queries) => begin(queries, engine, statements, start, leaseMs), {
        keeps: ({ kind }) => kind === 'started',
      }),
    finish: (start, probe, end) =>
      writes.unit(async (queries) => {
        await freeSlots(queries, start);
        await keepProbe(queries, start.key, probe);
        await keepEnd(queries, end);
      }),
    abandon: (start, givenBack) =>
      writes.unit(async (queries) => {
        await freeSlots(queries, start);
        await lowerAll(queries, givenBack);
      }),
    record: (counters, end) =>
      writes.unit(
        async (queries) => {
          const reserved = await raiseAll(queries, counters, statements);
          if (reserved.granted) await keepEnd(queries, end);
          return reserved;
        },
        { keeps: ({ granted }) => granted },
      ),
  };
}

/** Slots before counters, here and in `finish`: every process locks rows in this order. */
async function begin(
  queries: Queries,
  engine: Engine,
  statements: CounterStatements,
  start: ProbeStart,
  leaseMs: number,
): Promise<StartAnswer> {
  const refused = await takeSlot(queries, engine, start, leaseMs);
  if (refused !== null) return { kind: refused };
  // After the slot: `finish` keeps a probe and frees its slot in one commit.
  const known = await newerProbe(queries, start);
  if (known !== null) return { kind: 'known', probedAt: known };
  const { granted, used } = await raiseAll(queries, start.counters, statements);
  return { kind: granted ? 'started' : 'exhausted', used };
}

/** Null when the slot is taken. */
async function takeSlot(
  queries: Queries,
  engine: Engine,
  start: ProbeStart,
  leaseMs: number,
): Promise<'full' | 'in_flight' | null> {
  const claim = { ...start, probeKey: probeKeyOf(start) };
  // A concurrent start can win the same free slot. Each one that does leaves one slot less, so the loop ends.
  for (let lost = 0; lost <= PROBES_IN_FLIGHT_PER_HOST; lost += 1) {
    if ((await takeFree(queries, engine, claim, 1, leaseMs)) === 1) return null;
    if (await freeExpired(queries, engine, start.targetKey)) continue;
    const taken = await queries
      .selectFrom('target_slots')
      .select('probe_key')
      .where('target_key', '=', start.targetKey)
      .execute();
    if (taken.some(({ probe_key }) => probe_key === claim.probeKey)) return 'in_flight';
    if (taken.length >= PROBES_IN_FLIGHT_PER_HOST) return 'full';
  }
  return 'full';
}

function probeKeyOf({ key: { method, urlKey } }: ProbeStart): string {
  return `${method} ${urlKey}`;
}

async function newerProbe(
  queries: Queries,
  { key: { urlKey, method }, newerThan }: ProbeStart,
): Promise<Date | null> {
  const row = await queries
    .selectFrom('probe_cache')
    .select('probed_at')
    .where('url_key', '=', urlKey)
    .where('method', '=', method)
    .where('probed_at', '>', newerThan.getTime())
    .executeTakeFirst();
  return row === undefined ? null : new Date(row.probed_at);
}

async function keepEnd(queries: Queries, { kept, givenBack }: CheckEnd): Promise<void> {
  if (kept !== null) await insertReceipt(queries, kept.receipt, kept.urlKey);
  await lowerAll(queries, givenBack);
}
