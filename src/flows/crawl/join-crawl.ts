import { type RepeatParts, repeatUntilStopped } from '../../core/concurrency/repeat-until-stopped.ts';
import { decodeCrawlState } from '../../core/crawl/crawl-state.ts';
import type { CrawlPorts, ProbePorts } from './crawl-ports.ts';
import { CRAWL_JOB } from './lead-crawl.ts';
import { probeHosts } from './probe-hosts.ts';

/** The polling interval of an idle worker. */
const LOOK_EVERY_MS = 5_000;

/** Probes hosts of the current run until it is stopped. A store fault ends the round, not the worker. */
export async function joinCrawl(
  ports: ProbePorts & Pick<CrawlPorts, 'jobs' | 'newId'> & RepeatParts,
): Promise<void> {
  const owner = ports.newId();
  const round = async () => {
    const state = decodeCrawlState((await ports.jobs.read(CRAWL_JOB))?.state ?? null);
    if (state?.phase === 'probing') await probeHosts(state.runId, owner, ports);
  };
  await repeatUntilStopped(LOOK_EVERY_MS, round, ports);
}
