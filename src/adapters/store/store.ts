import type { AttributionStore } from '../../ports/attribution.ts';
import type { CheckWrites } from '../../ports/check-writes.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { CrawlRunStore } from '../../ports/crawl-runs.ts';
import type { CrawlWork } from '../../ports/crawl-work.ts';
import type { JobStore } from '../../ports/job-store.ts';
import type { LiveReceiptStore, ReceiptWeeks } from '../../ports/live-receipts.ts';
import type { Corrections } from '../../ports/log/corrections.ts';
import type { LogStore } from '../../ports/log/transparency-log.ts';
import type { Withdrawals } from '../../ports/log/withdrawals.ts';
import type { PaidCallStore } from '../../ports/paid-calls.ts';
import type { PaymentLedger } from '../../ports/payment-ledger.ts';
import type { OpenEndpoints, ProbeCache } from '../../ports/probe-cache.ts';
import type { QuoteStore } from '../../ports/quote-store.ts';
import type { SellerStore, WatchStore } from '../../ports/seller.ts';
import type { SnapshotStore } from '../../ports/snapshot/snapshots.ts';
import type { SecretMark, StoreHealth } from '../../ports/store-health.ts';
import type { TargetSlots } from '../../ports/target-slots.ts';
import { sqlPaidCalls } from './catalog/paid-calls.ts';
import { sqlCounters } from './counters/counters.ts';
import { counterStatements } from './counters/rows.ts';
import { sqlCrawlRuns } from './crawl/crawl-runs.ts';
import { sqlCrawlWork } from './crawl/crawl-work.ts';
import { DIALECTS } from './engine/dialect.ts';
import type { Engine, Queries } from './engine/tables.ts';
import type { Writes } from './engine/writes.ts';
import { entryStatements } from './log/log-rows.ts';
import { sqlLog } from './log/log-store.ts';
import { sqlAttribution } from './operate/attribution.ts';
import { sqlHealth } from './operate/health.ts';
import { sqlJobs } from './operate/jobs.ts';
import { sqlSecretMark } from './operate/secret-mark.ts';
import { sqlPayments } from './payments/payments.ts';
import { sqlQuotes } from './payments/quotes.ts';
import { sqlCheckWrites } from './probes/check-writes.ts';
import { sqlOpenEndpoints } from './probes/open-endpoints.ts';
import { probeStatements, sqlProbes } from './probes/probes.ts';
import { slotStatements, sqlTargetSlots } from './probes/target-slots.ts';
import { sqlCorrections } from './receipts/corrections.ts';
import { sqlReceiptWeeks } from './receipts/receipt-weeks.ts';
import { receiptStatements, sqlLiveReceipts } from './receipts/receipts.ts';
import { sqlWithdrawals } from './receipts/withdrawals.ts';
import { sqlSellers } from './seller/sellers.ts';
import { sqlWatches } from './seller/watches.ts';
import { sqlSnapshots } from './snapshot/snapshots.ts';

/** Everything the service remembers, on one database. */
export interface Store {
  readonly counters: CounterStore;
  readonly probes: ProbeCache;
  readonly openEndpoints: OpenEndpoints;
  readonly checks: CheckWrites;
  readonly slots: TargetSlots;
  readonly receipts: LiveReceiptStore;
  readonly receiptWeeks: ReceiptWeeks;
  readonly runs: CrawlRunStore;
  readonly payments: PaymentLedger;
  readonly quotes: QuoteStore;
  readonly paidCalls: PaidCallStore;
  readonly jobs: JobStore;
  readonly attribution: AttributionStore;
  readonly crawlWork: CrawlWork;
  readonly sellers: SellerStore;
  readonly watches: WatchStore;
  readonly transparencyLog: LogStore;
  readonly withdrawals: Withdrawals;
  readonly corrections: Corrections;
  readonly snapshots: SnapshotStore;
  readonly health: StoreHealth;
  readonly secretMark: SecretMark;
  /** Calls that wait for a connection (PostgreSQL), or writes that wait for their group (SQLite). */
  waiting(): number;
  /** Refuses further writes, waits for pending ones, and closes the database. */
  close(): Promise<void>;
}

/** What a store needs of its engine. */
export interface Connected {
  readonly engine: Engine;
  readonly database: Queries;
  readonly writes: Writes;
  readonly waiting: () => number;
}

export function storeOn({ engine, database, writes, waiting }: Connected): Store {
  const dialect = DIALECTS[engine];
  const entries = entryStatements(dialect);
  const statements = {
    counters: counterStatements(dialect),
    slots: slotStatements(dialect),
    probes: probeStatements(dialect),
    receipts: receiptStatements(dialect, entries),
  };
  return {
    counters: sqlCounters(database, writes, dialect, statements.counters),
    probes: sqlProbes(database, writes, dialect, statements.probes),
    openEndpoints: sqlOpenEndpoints(database, writes),
    checks: sqlCheckWrites(writes, dialect, statements),
    slots: sqlTargetSlots(writes, dialect, statements.slots),
    receipts: sqlLiveReceipts(database, writes, dialect, statements.receipts),
    receiptWeeks: sqlReceiptWeeks(database, writes, dialect),
    runs: sqlCrawlRuns(database, writes, dialect, entries),
    payments: sqlPayments(database, writes, dialect, statements.receipts),
    quotes: sqlQuotes(database, writes, dialect),
    paidCalls: sqlPaidCalls(database, writes),
    jobs: sqlJobs(database, writes, dialect),
    attribution: sqlAttribution(database, writes, dialect),
    crawlWork: sqlCrawlWork(database, writes, dialect),
    sellers: sqlSellers(database, writes, dialect),
    watches: sqlWatches(writes, dialect),
    snapshots: sqlSnapshots(database, writes, dialect),
    transparencyLog: sqlLog(database, writes, dialect, entries),
    withdrawals: sqlWithdrawals(database, writes, { dialect, entries }),
    corrections: sqlCorrections(database, writes, { dialect, entries }),
    health: sqlHealth(database, writes, dialect),
    secretMark: sqlSecretMark(database, writes),
    waiting,
    async close() {
      await writes.end();
      await database.destroy();
    },
  };
}
