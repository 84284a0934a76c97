import type { Clock } from '../../ports/clock.ts';
import type { JobClaim } from '../../ports/job-store.ts';
import type { CrawlPorts } from './crawl-ports.ts';

export const CRAWL_JOB = 'crawl';
const LEAD_MS = 60_000;
const RENEW_MS = 20_000;
/** Nobody who waits can be called back, so the waits are short: the end must not take longer than this. */
const STEP_MS = 250;

/** Claims of one attempt to lead, each from now on. */
export function claimer({ now, newId }: Pick<CrawlPorts, 'now' | 'newId'>): () => JobClaim {
  const holder = newId();
  return () => ({ name: CRAWL_JOB, holder, now: now(), leaseMs: LEAD_MS });
}

/** Keeps the lead while something takes its time; `look` is called every now and then, to end it early. */
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
      // One that fails is tried again long before the lead runs out; the work must not go on without anybody who waits for it.
      if (!over.done && waited % RENEW_MS === 0) await renew().catch(() => {});
    }
  };
  const [result] = await Promise.all([finished, renewing()]);
  return result;
}
