import { loadLists } from '../../adapters/discovery/load-lists.ts';
import type { Log } from '../../adapters/system/log.ts';
import { crawl } from '../../flows/crawl/crawl.ts';
import type { CrawlPhase } from '../../flows/crawl/crawl-ports.ts';
import type { PublicConfig, Runtime } from '../build/build-app.ts';
import { createCrawl } from '../build/create-crawl.ts';
import { createPublicOutbound } from '../build/outbound.ts';
import { runLogOf } from '../build/run-log.ts';
import { packageVersion } from '../build/runtime.ts';
import type { SnapshotKeeper } from '../build/snapshot-keeper.ts';
import { SYSTEM } from '../build/system.ts';
import { type BackgroundJob, startRounds } from './start-rounds.ts';

/** A due or abandoned crawl starts within this time. */
const LOOK_EVERY_MS = 60_000;

/** The weekly crawl inside the service. Of several services on one database, one leads and the others stand by. */
export function startCrawling(
  config: PublicConfig,
  runtime: Runtime,
  log: Pick<Log, 'info' | 'error'>,
  keepSnapshot: SnapshotKeeper,
): BackgroundJob {
  const parts = {
    ...createCrawl({
      store: runtime.store,
      outbound: createPublicOutbound({ ...config, version: packageVersion() }),
      lists: loadLists(),
      secret: runtime.secret,
      runLog: runLogOf(config, runtime),
      limit: null,
      vantages: runtime.crawlVantages,
      ...SYSTEM,
      now: runtime.now,
    }),
    onPhase(phase: CrawlPhase) {
      if (phase.kind === 'held') log.error({ reason: phase.reason }, 'crawl held: the published run stays');
      else log.info({ phase: phase.kind }, 'crawl');
    },
    onReceipt: () => {},
    afterPublishing: () => keepSnapshot(),
  };
  const round = (_: number, stop: AbortSignal) =>
    crawl({ always: false }, { ...parts, isStopped: () => stop.aborted });
  return startRounds(LOOK_EVERY_MS, round, { log });
}
