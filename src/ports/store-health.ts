import type { PaymentState } from './payment-ledger.ts';

/** The health of the store, for readiness and metrics. */
export interface StoreHealth {
  /** The time by the clock that all processes on the store share. */
  clock(): Promise<Date>;
  /** Writes something, makes it durable and leaves nothing behind; throws when that is not possible. */
  write(): Promise<void>;
  /** The schema compared with this program's. A newer schema only adds to it; an older one lacks something. */
  schema(): Promise<SchemaState>;
  /** Payments by their state, of each kind no more than `most`: those under way, and those settled that are kept whole. */
  payments(most: number): Promise<Readonly<Record<PaymentState, number>>>;
  /** What a run of the crawl still has to check. */
  crawlLeft(runId: string): Promise<CrawlLeft>;
  /** How far the database has been written; null where nothing can follow it. */
  written(): Promise<WrittenTo | null>;
}

/** A database, and the position up to which what was committed in it is durable. */
export interface WrittenTo {
  /** Equal on a database and on all that follow it. */
  readonly database: string;
  readonly position: string;
}

export interface CrawlLeft {
  readonly hosts: number;
  readonly urls: number;
}

export type SchemaState = 'ok' | 'newer' | 'older';

/** Which secret keys the hashes of the store. The store knows only a fingerprint of it. */
export interface SecretMark {
  /** Keeps the fingerprint if the store has none. Answers the one it has. */
  keep(fingerprint: string): Promise<string>;
  replace(fingerprint: string): Promise<void>;
}
