import type { Kysely } from 'kysely';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';

/** The rows of both engines. Times are UTC milliseconds; JSON is text, because no query looks inside. */
export interface Tables {
  readonly schema_migrations: SchemaMigrationRow;
  readonly counters: CounterRow;
  readonly probe_cache: ProbeRow;
  readonly live_receipts: LiveReceiptRow;
}

interface SchemaMigrationRow {
  readonly version: number;
  readonly name: string;
  readonly applied_at: number;
}

interface CounterRow {
  readonly key: string;
  readonly window: string;
  readonly used: number;
  readonly expires_at: number;
}

interface ProbeRow {
  readonly url_key: string;
  readonly method: ProbeMethod;
  readonly probed_at: number;
  readonly spelling: string;
  readonly observation: string;
}

interface LiveReceiptRow {
  readonly id: string;
  readonly mode: 'live' | 'dry-run';
  readonly ref: string | null;
  readonly checked_at: number;
  readonly url_key: string;
  readonly body: string;
}

/** A connection, a pool of them, or an open transaction: queries look the same on each. */
export type Queries = Kysely<Tables>;

/** The two engines differ in how rows are locked and how text is ordered, and in nothing else that queries see. */
export type Engine = 'sqlite' | 'postgres';
