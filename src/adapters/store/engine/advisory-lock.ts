import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine, Queries } from './tables.ts';

/** Lets one transaction after the other past this name. SQLite has one writer at a time and needs no lock. */
export async function waitForTurn(queries: Queries, engine: Engine, name: string): Promise<void> {
  if (engine === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(${lockNumber(name)}::bigint)`.execute(queries);
}

/** Two names with the same number would only wait for each other. */
function lockNumber(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE().toString();
}
