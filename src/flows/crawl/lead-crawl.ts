import { whileHeld } from '../../core/concurrency/while-held.ts';
import type { JobClaim, JobRecord } from '../../ports/job-store.ts';
import type { CrawlPorts } from './crawl-ports.ts';

export const CRAWL_JOB = 'crawl';
const LEAD_MS = 60_000;

/** The crawl as the one process that leads it has it. */
export interface CrawlLead {
  /** As it was before. */
  readonly record: JobRecord;
  /** True when another process has the crawl, because this one stood still for too long. */
  isLost(): boolean;
  /** Also renews the lease. */
  save(state: string): Promise<void>;
  /** Renews the lease while the work runs. */
  whileHeld<T>(work: Promise<T>, look?: () => void): Promise<T>;
  finish(state: string): Promise<void>;
  /** The next leader need not wait until the lease expires. */
  letGo(): Promise<void>;
}

/** Null when another process leads. */
export async function leadCrawl({
  jobs,
  now,
  newId,
  wait,
}: Pick<CrawlPorts, 'jobs' | 'now' | 'newId' | 'wait'>): Promise<CrawlLead | null> {
  const holder = newId();
  const claim = (leaseMs = LEAD_MS): JobClaim => ({ name: CRAWL_JOB, holder, now: now(), leaseMs });
  const record = await jobs.claim(claim());
  if (record === null) return null;
  const lead = { saved: record.state ?? 'null', isLost: false };
  const save = async (state: string) => {
    lead.saved = state;
    if (!(await jobs.save(claim(), state))) lead.isLost = true;
  };
  return {
    record,
    isLost: () => lead.isLost,
    save,
    whileHeld: (work, look) => whileHeld(work, () => save(lead.saved), { wait }, look),
    async finish(state) {
      await jobs.finish(claim(), state);
    },
    async letGo() {
      if (!lead.isLost) await jobs.save(claim(0), lead.saved);
    },
  };
}
