import type { Store } from '../../adapters/store/store.ts';
import { withStoreFaults } from '../../adapters/store/store-faults.ts';
import type { PageReads } from '../../ports/crawl-runs.ts';

/** The ports of requests: a caller learns that the store is away, and nothing else about it. */
export function faultingPorts(store: Store, pages: PageReads = store) {
  return {
    transparencyLog: withStoreFaults(store.transparencyLog),
    withdrawals: withStoreFaults(store.withdrawals),
    corrections: withStoreFaults(store.corrections),
    openEndpoints: withStoreFaults(store.openEndpoints),
    sellers: withStoreFaults(store.sellers),
    snapshots: withStoreFaults(store.snapshots),
    watches: withStoreFaults(store.watches),
    payments: withStoreFaults(store.payments),
    quotes: withStoreFaults(store.quotes),
    receipts: withStoreFaults(store.receipts),
    runs: withStoreFaults(store.runs),
    paidCalls: withStoreFaults(store.paidCalls),
    probes: withStoreFaults(store.probes),
    checks: withStoreFaults(store.checks),
    counters: withStoreFaults(store.counters),
    pages: { runs: withStoreFaults(pages.runs), receipts: { page: withStoreFaults(pages.receipts).page } },
  };
}
