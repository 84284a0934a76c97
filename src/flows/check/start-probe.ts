import { CRAWL_TIMEOUT_MS } from '../../core/limits.ts';
import type { CheckWrites, ProbeStart } from '../../ports/check-writes.ts';
import type { StoredProbe } from '../../ports/probe-cache.ts';
import type { RefusalParts } from './refused.ts';

export interface StartPorts extends RefusalParts {
  readonly checks: Pick<CheckWrites, 'start'>;
  /** Milliseconds that never jump. */
  readonly stopwatch: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Our own bounds, not what the target did: nothing was sent. */
export interface TargetBusy {
  readonly kind: 'rate_limited';
  readonly retryAfterSeconds: number;
}

export function targetBusy({ onRefused }: RefusalParts): TargetBusy {
  onRefused?.('target_places');
  return { kind: 'rate_limited', retryAfterSeconds: 1 };
}

/** A probe and the store's commits around it. The slot of a process that died is free after this. */
export const LEASE_MS = 15_000;

/** How long each state is worth waiting for. */
const PATIENCE_MS = {
  // Longer than a request: by then its result is stored, or its process is dead, or it sends a second one with input.
  in_flight: CRAWL_TIMEOUT_MS + 2_000,
  // A slot is freed together with the receipt, a moment after the answer of the target.
  full: 500,
} as const;

export type Started =
  /** `at` is by the stopwatch, and not later than the start of the lease. */
  | { readonly kind: 'started'; readonly used: readonly number[]; readonly at: number }
  | { readonly kind: 'exhausted'; readonly used: readonly number[] }
  | { readonly kind: 'found'; readonly probe: StoredProbe }
  | TargetBusy;

/** Takes a slot at the target, or waits for the process that probes the same URL. `find` reads the probe cache. */
export async function startProbe(
  start: ProbeStart,
  find: () => Promise<StoredProbe | null>,
  ports: StartPorts,
): Promise<Started> {
  const { checks, stopwatch, wait } = ports;
  const begun = stopwatch();
  let newerThan = start.newerThan;
  for (let waitedMs = 0; ; ) {
    const at = stopwatch();
    const answer = await checks.start({ ...start, newerThan }, LEASE_MS);
    if (answer.kind === 'started') return { at, ...answer };
    if (answer.kind === 'exhausted') return answer;
    if (answer.kind === 'known') {
      const probe = await find();
      if (probe !== null) return { kind: 'found', probe };
      // It cannot be used here. Any later one may be.
      newerThan = new Date(Math.max(newerThan.getTime() + 1, answer.probedAt.getTime()));
      continue;
    }
    // By both, so that neither a clock that stands still nor a slow store makes it endless.
    if (Math.max(waitedMs, at - begun) >= PATIENCE_MS[answer.kind]) return targetBusy(ports);
    const pauseMs = pollMs(waitedMs);
    await wait(pauseMs);
    waitedMs += pauseMs;
  }
}

const POLL_MS = { least: 5, most: 75 } as const;

/** Poll after 25 % of the time waited so far, so the overshoot stays below a quarter. */
function pollMs(waitedMs: number): number {
  return Math.min(Math.max(POLL_MS.least, Math.round(waitedMs / 4)), POLL_MS.most);
}
