import { sql } from 'kysely';
import type { Engine } from './tables.ts';

/** Milliseconds by the clock of the database, as it is when the statement gets there. */
export function clockText(engine: Engine): string {
  return engine === 'sqlite'
    ? "cast(round(unixepoch('subsec') * 1000) AS integer)"
    : '(extract(epoch from clock_timestamp()) * 1000)::bigint';
}

export function clock(engine: Engine) {
  return sql.raw<number>(clockText(engine));
}

export function leaseEnd(engine: Engine, leaseMs: number) {
  return sql<number>`${clock(engine)} + ${leaseMs}`;
}
