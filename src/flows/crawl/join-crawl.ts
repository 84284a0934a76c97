import { type RepeatParts, repeatUntilStopped } from '../../core/concurrency/repeat-until-stopped.ts';
import { decodeCrawlState } from '../../core/crawl/crawl-state.ts';
import type { JobStore } from '../../ports/job-store.ts';
import { CRAWL_JOB } from './lead-crawl.ts';
import { type ProbeHostsParts, probeHosts } from './probe-hosts.ts';

export interface JoinCrawlParts extends ProbeHostsParts, RepeatParts {
  readonly jobs: Pick<JobStore, 'read'>;
  readonly newId: () => string;
}

/** How often a worker without work looks for some. */
const LOOK_EVERY_MS = 5_000;

/** Probes beside whoever leads, until it is stopped. A store that fails ends a round and not the worker. */
export async function joinCrawl(parts: JoinCrawlParts): Promise<void> {
  const owner = parts.newId();
  const round = async () => {
    const state = decodeCrawlState((await parts.jobs.read(CRAWL_JOB))?.state ?? null);
    if (state?.phase === 'probing') await probeHosts(state.runId, owner, parts);
  };
  await repeatUntilStopped(LOOK_EVERY_MS, round, parts);
}
