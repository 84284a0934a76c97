import type { CrawlWork } from '../../ports/crawl-work.ts';
import type { CrawlPorts } from './crawl-ports.ts';

/** Names the run of a preview as long as anything of it is stored. */
const PART_JOB = 'crawl-part';
const STEP = 1_000;

export async function forgetWork(runId: string, work: Pick<CrawlWork, 'forget'>): Promise<void> {
  while ((await work.forget(runId, STEP)) === STEP);
}

/** Deletes everything of a run that is not published. Only the leader may do this. */
export async function forgetRun(runId: string, { work, runs }: CrawlPorts): Promise<void> {
  await forgetWork(runId, work);
  while ((await runs.discard(runId, STEP)) === STEP);
}

/** Deletes everything of a preview, also of a killed one. */
export async function forgetPart(ports: CrawlPorts): Promise<void> {
  const runId = (await ports.jobs.read(PART_JOB))?.state ?? '';
  if (runId === '') return;
  await forgetRun(runId, ports);
  await notePart('', ports);
}

/** Records the run id of a preview before anything of it is stored. */
export async function notePart(runId: string, { jobs, now, newId }: CrawlPorts): Promise<void> {
  // Without a lease of its own: the lease of the crawl excludes others.
  const claim = { name: PART_JOB, holder: newId(), now: now(), leaseMs: 0 };
  await jobs.claim(claim);
  await jobs.save(claim, runId);
}
