import { sql } from 'kysely';
import { utcDay } from '../../../core/access/utc-window.ts';
import { inBatches } from '../../../core/concurrency/in-batches.ts';
import { order } from '../../../core/order.ts';
import type { AttributedLookup, AttributionStore, LookupSubject } from '../../../ports/attribution.ts';
import type { Dialect } from '../engine/dialect.ts';
import { forgetOldest } from '../engine/forget-oldest.ts';
import type { LookupCountRow, Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

/** Bounds the memory between two flushes, and how long other writers wait for a flush. */
const DIFFERENT_MAX = 2_000;
const ROWS_AT_ONCE = 50;
const KEY = ['day', 'kind', 'name', 'client', 'ref', 'payer'] as const;

export function sqlAttribution(database: Queries, writes: Writes, dialect: Dialect): AttributionStore {
  const state = { noted: new Map<string, Count>() };
  return {
    note: (lookup, at) => add(state.noted, lookup, at.getTime(), 1),
    async flush() {
      const { noted } = state;
      if (noted.size === 0) return;
      state.noted = new Map();
      // A fixed order of rows: two processes cannot deadlock.
      const inOrder = [...noted].sort(([left], [right]) => order(left, right));
      const rows = inOrder.map(([, count]) => rowOf(count));
      try {
        await writes.unit((queries) => write(queries, rows));
      } catch (fault) {
        for (const { of, firstAt, lookups } of noted.values()) add(state.noted, of, firstAt, lookups);
        throw fault;
      }
    },
    async total(since) {
      const { lookups } = await countsSince(database, since).executeTakeFirstOrThrow();
      return lookups ?? 0;
    },
    async tally(by, since, limit) {
      const rows = await countsSince(database, since)
        .select(`${by} as name`)
        .groupBy(by)
        .orderBy('lookups', 'desc')
        .orderBy(by)
        .limit(limit)
        .execute();
      return rows.map(({ name, first_at, lookups }) => ({
        name: nullWhenEmpty(name),
        firstAt: new Date(first_at),
        lookups,
      }));
    },
    async subjects(since, limit) {
      const rows = await countsSince(database, since)
        .select(['kind', 'name'])
        .groupBy(['kind', 'name'])
        .orderBy('lookups', 'desc')
        .orderBy('kind')
        .orderBy('name')
        .limit(limit)
        .execute();
      return rows.map(({ kind, name, first_at, lookups }) => ({
        subject: subjectOf(kind, name),
        firstAt: new Date(first_at),
        lookups,
      }));
    },
    prune: (before, limit) =>
      writes.one((queries) =>
        forgetOldest(queries, dialect, {
          table: 'lookup_counts',
          key: KEY,
          where: sql<boolean>`day < ${utcDay(before)}`,
          orderBy: ['day'],
          limit,
        }),
      ),
  };
}

interface Count {
  readonly of: AttributedLookup;
  firstAt: number;
  lookups: number;
}

const DAY_MS = 86_400_000;

/** Beyond the bound a lookup is still counted, without details. */
function add(noted: Map<string, Count>, of: AttributedLookup, at: number, lookups: number): void {
  const { subject, client, ref, payer } = of;
  // A number: formatting the date of every lookup would dominate the cost.
  const day = Math.floor(at / DAY_MS);
  // Unambiguous: no part contains a space, and none is empty unless it is null.
  const name = `${day} ${subject.kind} ${subject.name ?? ''} ${client ?? ''} ${ref ?? ''} ${payer ?? ''}`;
  const known = noted.get(name);
  if (known !== undefined) {
    if (at < known.firstAt) known.firstAt = at;
    known.lookups += lookups;
  } else if (noted.size < DIFFERENT_MAX || subject.kind === 'other') {
    noted.set(name, { of, firstAt: at, lookups });
  } else {
    add(noted, UNTOLD, at, lookups);
  }
}

const UNTOLD: AttributedLookup = {
  subject: { kind: 'other', name: null },
  client: null,
  ref: null,
  payer: null,
};

function rowOf({ of, firstAt, lookups }: Count): LookupCountRow {
  return {
    day: utcDay(new Date(firstAt)),
    kind: of.subject.kind,
    name: of.subject.name ?? '',
    client: of.client ?? '',
    ref: of.ref ?? '',
    payer: of.payer ?? '',
    first_at: firstAt,
    lookups,
  };
}

async function write(queries: Queries, rows: readonly LookupCountRow[]): Promise<void> {
  for (const batch of inBatches(rows, ROWS_AT_ONCE)) {
    await queries
      .insertInto('lookup_counts')
      .values(batch)
      .onConflict((conflict) =>
        conflict.columns([...KEY]).doUpdateSet(({ eb, ref }) => ({
          lookups: eb('lookup_counts.lookups', '+', ref('excluded.lookups')),
          first_at: eb
            .case()
            .when('excluded.first_at', '<', ref('lookup_counts.first_at'))
            .then(ref('excluded.first_at'))
            .else(ref('lookup_counts.first_at'))
            .end(),
        })),
      )
      .execute();
  }
}

function countsSince(database: Queries, since: Date) {
  return database
    .selectFrom('lookup_counts')
    .where('day', '>=', utcDay(since))
    .select(({ fn, cast }) => [
      // The sum of bigints is numeric in PostgreSQL, and arrives as text.
      cast<number>(fn.sum('lookups'), 'bigint').as('lookups'),
      fn.min('first_at').as('first_at'),
    ]);
}

function subjectOf(kind: LookupSubject['kind'], name: string): LookupSubject {
  if (kind === 'other') return { kind, name: null };
  return kind === 'task' ? { kind, name } : { kind, name: nullWhenEmpty(name) };
}

function nullWhenEmpty(text: string): string | null {
  return text === '' ? null : text;
}
