import type { Clock } from '../../ports/clock.ts';
import type { JobClaim } from '../../ports/job-store.ts';
import type { CrawlPorts } from './crawl-ports.ts';

export const CRAWL_JOB = 'crawl';
const LEAD_MS = 60_000;
const RENEW_MS = 20_000;
/** A wait cannot be cancelled, so it is short: stopping takes at most this long. */
const STEP_MS = 250;

/** Creates the claims of one holder, each starting now. */
export function claimer({ now, newId }: Pick<CrawlPorts, 'now' | 'newId'>): () => JobClaim {
  const holder = newId();
  return () => ({ name: CRAWL_JOB, holder, now: now(), leaseMs: LEAD_MS });
}

/** Renews the lease while the work runs. `look` is called on every step, to end the work early. */
export async function whileHeld<T>(
  work: Promise<T>,
  renew: () => Promise<void>,
  { wait }: Pick<Clock, 'wait'>,
  look: () => void = () => {},
): Promise<T> {
  const over = { done: false };
  const finished = work.finally(() => {
    over.done = true;
  });
  const renewing = async () => {
    for (let waited = STEP_MS; !over.done; waited += STEP_MS) {
      await Promise.race([wait(STEP_MS), finished.catch(() => {})]);
      look();
      // A failed renewal is repeated long before the lease expires, and must not leave the work unawaited.
      if (!over.done && waited % RENEW_MS === 0) await renew().catch(() => {});
    }
  };
  const [result] = await Promise.all([finished, renewing()]);
  return result;
}
