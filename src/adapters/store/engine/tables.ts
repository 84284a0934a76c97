import type { Kysely } from 'kysely';
import type { ProbeMethod } from '../../../core/verdict/probe-outcome.ts';
import type { LookupSubject } from '../../../ports/attribution.ts';
import type { PaymentState } from '../../../ports/payment-ledger.ts';
import type {
  CrawlHostRow,
  CrawlListedRow,
  CrawlPageRow,
  CrawlReceiptRow,
  CrawlRunRow,
  CrawlTargetRow,
  CrawlWorkRow,
} from './crawl-tables.ts';
import type { LogTables } from './log-tables.ts';
import type { SellerTables } from './seller-tables.ts';
import type { SnapshotTables } from './snapshot-tables.ts';

/** The tables of both engines. Times are UTC milliseconds. JSON is text, because no query looks inside. */
export interface Tables extends SellerTables, LogTables, SnapshotTables {
  readonly schema_migrations: SchemaMigrationRow;
  readonly secret_fingerprint: SecretFingerprintRow;
  readonly counters: CounterRow;
  readonly probe_cache: ProbeRow;
  readonly open_endpoints: OpenEndpointRow;
  readonly target_slots: TargetSlotRow;
  /** No longer used; the next release removes it. */
  readonly probe_places: PlacesRow;
  readonly live_receipts: LiveReceiptRow;
  readonly crawl_runs: CrawlRunRow;
  readonly crawl_receipts: CrawlReceiptRow;
  readonly crawl_pages: CrawlPageRow;
  readonly payments: PaymentRow;
  readonly quotes: QuoteRow;
  readonly paid_calls: PaidCallRow;
  readonly spending: SpendingRow;
  readonly service_checks: ServiceCheckRow;
  readonly jobs: JobRow;
  readonly lookup_counts: LookupCountRow;
  readonly crawl_work: CrawlWorkRow;
  readonly crawl_hosts: CrawlHostRow;
  readonly crawl_targets: CrawlTargetRow;
  readonly crawl_listed: CrawlListedRow;
}

interface SchemaMigrationRow {
  readonly version: number;
  readonly name: string;
  readonly applied_at: number;
}

interface SecretFingerprintRow {
  readonly id: number;
  readonly fingerprint: string;
}

interface CounterRow {
  readonly key: string;
  readonly window: string;
  readonly used: number;
  readonly used_together: number;
}

interface ProbeRow {
  readonly url_key: string;
  readonly method: ProbeMethod;
  readonly probed_at: number;
  readonly spelling: string;
  readonly observation: string;
}

/** Input that was served without payment: all of a URL, or one of a caller. */
interface OpenEndpointRow {
  readonly key: string;
  readonly seen_at: number;
}

/** One lease of a slot at a host and port. */
interface TargetSlotRow {
  readonly target_key: string;
  /** From 1 to the number of probes that a target may have in flight. */
  readonly slot: number;
  readonly holder: string;
  /** Method and URL of a caller's probe; null for the crawl. */
  readonly probe_key: string | null;
  /** By the clock of the database. */
  readonly until: number;
}

interface PlacesRow {
  readonly host_key: string;
  readonly sole_holder: string | null;
  readonly held: string;
  readonly until: number;
}

interface LiveReceiptRow {
  readonly id: string;
  readonly mode: 'live' | 'dry-run';
  readonly ref: string | null;
  readonly checked_at: number;
  readonly url_key: string;
  /** A hash of how the check asked: method, own claims, and the URL as the receipt shows it. Receipts of older releases have another. */
  readonly spelling: string;
  readonly body: string;
  /** What a listing shows; null in rows of earlier releases. */
  readonly listed: string | null;
}

interface PaymentRow {
  readonly key: string;
  readonly request_key: string;
  readonly identifier: string | null;
  readonly state: PaymentState;
  readonly holder: string;
  /** When its claim expires, or when it was rejected; unused in the other states. */
  readonly held_until: number;
  readonly changed_at: number;
  /** When it was prepared; null, like `prepared`, unless its settlement is open. */
  readonly open_since: number | null;
  readonly prepared: string | null;
  /** The transaction that settled it; of a rejected payment, the one that reverted. */
  readonly tx: string | null;
  /** When it was settled; null, like `answer`, once the answer has been pruned. */
  readonly frozen_at: number | null;
  readonly answer: string | null;
  /** Transactions that our own key has sent for it, and the time before which there is no next one. */
  readonly sends: number;
  readonly send_after: number;
  /** Keyed hashes of network prefixes: who claimed it, and who got the first answer that was written out completely. */
  readonly claimed_from: string | null;
  readonly delivered_to: string | null;
  readonly delivered_at: number | null;
}

interface QuoteRow {
  readonly key: string;
  readonly amount: string;
  readonly until: number;
}

interface PaidCallRow {
  readonly id: string;
  readonly service_id: string;
  readonly begun_at: number;
  readonly amount: number;
  readonly pay_to: string;
  /** When it was begun; null once it is finished. */
  readonly open_since: number | null;
  /** Null, like the body and the evidence, until it is finished. */
  readonly called_at: number | null;
  readonly body: string | null;
  readonly evidence: string | null;
}

/** What was spent on a UTC day, or in total. */
interface SpendingRow {
  readonly scope: string;
  readonly spent: number;
}

interface ServiceCheckRow {
  readonly service_id: string;
  readonly checked_at: number;
  readonly body: string;
}

interface JobRow {
  readonly name: string;
  readonly state: string | null;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  /** Null when no process holds the job. */
  readonly holder: string | null;
  readonly held_until: number | null;
}

/** Empty text stands for null, which a primary key cannot contain. */
export interface LookupCountRow {
  readonly day: string;
  readonly kind: LookupSubject['kind'];
  readonly name: string;
  readonly client: string;
  readonly ref: string;
  readonly payer: string;
  readonly first_at: number;
  readonly lookups: number;
}

/** The database, one connection, or an open transaction: all run the same queries. */
export type Queries = Kysely<Tables>;

/** What differs between them is in dialect.ts. */
export type Engine = 'sqlite' | 'postgres';
