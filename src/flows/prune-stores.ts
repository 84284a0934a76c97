import { PROBE_REUSE_SECONDS } from '../core/limits.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { ProbeCache } from '../ports/probe-cache.ts';

export interface PrunableStores {
  readonly counters: Pick<CounterStore, 'prune'>;
  readonly probes: Pick<ProbeCache, 'prune'>;
}

/** Small steps, so that no request waits long behind one; and not endlessly many, so that the next round gets its turn. */
const STEP_ROWS = 500;
const STEPS_MAX = 20;
/** A request that began inside a window may still give its use back. */
const COUNTER_SLACK_MS = 3_600_000;
const PROBE_SLACK_MS = 60_000;

/** Forgets what nothing reads any more; receipts are kept for ever. Answers how many rows went. */
export async function pruneStores({ counters, probes }: PrunableStores, now: Date): Promise<number> {
  const countersBefore = new Date(now.getTime() - COUNTER_SLACK_MS);
  const probesBefore = new Date(now.getTime() - PROBE_REUSE_SECONDS * 1_000 - PROBE_SLACK_MS);
  const forgottenCounters = await inSteps((limit) => counters.prune(countersBefore, limit));
  const forgottenProbes = await inSteps((limit) => probes.prune(probesBefore, limit));
  return forgottenCounters + forgottenProbes;
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
