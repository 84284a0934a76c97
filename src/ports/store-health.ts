import type { PaymentState } from './payment-ledger.ts';

/** How well the store is, for whoever decides whether callers may be sent here. */
export interface StoreHealth {
  /** The time by the clock that all processes on the store share. */
  clock(): Promise<Date>;
  /** Writes something, makes it durable and leaves nothing behind; throws when that is not possible. */
  write(): Promise<void>;
  /** Whether the tables are those of this program. A newer one has only added to them; an older one lacks some. */
  schema(): Promise<SchemaState>;
  /** Payments by their state, of each kind no more than `most`: those under way, and those settled that are kept whole. */
  payments(most: number): Promise<Readonly<Record<PaymentState, number>>>;
  /** What a run of the crawl still has to check. */
  crawlLeft(runId: string): Promise<CrawlLeft>;
}

export interface CrawlLeft {
  readonly hosts: number;
  readonly urls: number;
}

export type SchemaState = 'ok' | 'newer' | 'older';
