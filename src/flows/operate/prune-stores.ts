import { PROBE_REUSE_SECONDS } from '../../core/limits.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { PaymentLedger } from '../../ports/payment-ledger.ts';
import type { ProbeCache } from '../../ports/probe-cache.ts';
import type { QuoteStore } from '../../ports/quote-store.ts';
import type { TargetSlots } from '../../ports/target-slots.ts';

export interface PrunableStores {
  readonly counters: Pick<CounterStore, 'prune'>;
  readonly probes: Pick<ProbeCache, 'prune'>;
  readonly payments: Pick<PaymentLedger, 'prune'>;
  readonly quotes: Pick<QuoteStore, 'prune'>;
  readonly slots: Pick<TargetSlots, 'prune'>;
}

/** Small steps, so that no request waits long behind one; and a bounded number, so that the other tables get their turn. */
const STEP_ROWS = 500;
const STEPS_MAX = 20;
/** A request that began inside a window may still give its use back. */
const COUNTER_SLACK_MS = 3_600_000;
const PROBE_SLACK_MS = 60_000;
/** A payment can fetch its answer for a day (gap G63); a failed one keeps its outcome as long. */
const PAYMENT_KEPT_MS = 86_400_000;
/** The clock of another process may be a little behind. */
const QUOTE_SLACK_MS = 60_000;

/** Deletes what nothing reads any more; receipts and settled payments stay for ever. Returns the number of rows. */
export async function pruneStores(
  { counters, probes, payments, quotes, slots }: PrunableStores,
  now: Date,
): Promise<number> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const probeKeptMs = PROBE_REUSE_SECONDS * 1_000 + PROBE_SLACK_MS;
  const forgottenCounters = await inSteps((limit) => counters.prune(ago(COUNTER_SLACK_MS), limit));
  const forgottenProbes = await inSteps((limit) => probes.prune(ago(probeKeptMs), limit));
  const forgottenPayments = await inSteps((limit) => payments.prune(ago(PAYMENT_KEPT_MS), limit));
  const forgottenQuotes = await inSteps((limit) => quotes.prune(ago(QUOTE_SLACK_MS), limit));
  // Leases run by the clock of the store and need no slack.
  const forgottenSlots = await inSteps((limit) => slots.prune(limit));
  return forgottenCounters + forgottenProbes + forgottenPayments + forgottenQuotes + forgottenSlots;
}

async function inSteps(prune: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const gone = await prune(STEP_ROWS);
    total += gone;
    if (gone < STEP_ROWS) break;
  }
  return total;
}
