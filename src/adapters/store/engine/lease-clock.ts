import { sql } from 'kysely';
import type { Engine } from './tables.ts';

/** Milliseconds by the clock of the database, as it is when the statement gets there. */
export function clock(engine: Engine) {
  return engine === 'sqlite'
    ? sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

export function leaseEnd(engine: Engine, leaseMs: number) {
  return sql<number>`${clock(engine)} + ${leaseMs}`;
}
