import { loadLists } from '../adapters/discovery/load-lists.ts';
import type { Log } from '../adapters/system/log.ts';
import { crawl } from '../flows/crawl/crawl.ts';
import { createCrawl } from './build/create-crawl.ts';
import { reachPublicWeb } from './build/outbound.ts';
import { packageVersion } from './build/runtime.ts';
import { THIS_MACHINE } from './build/system.ts';
import type { PublicConfig, World } from './build-app.ts';
import type { House } from './keep-house.ts';
import { repeat } from './repeat.ts';

/** A crawl that is due, or that another process left, is begun within this time. */
const LOOK_EVERY_MS = 60_000;

/** The weekly crawl inside the service: with several of them, one leads and the others look on. */
export function keepCrawling(config: PublicConfig, world: World, log: Pick<Log, 'info' | 'error'>): House {
  const leaving = { now: false };
  const parts = {
    ...createCrawl({
      store: world.store,
      reach: reachPublicWeb({ ...config, version: packageVersion() }),
      lists: loadLists(),
      secret: world.secret,
      blockedHosts: config.blockedHosts,
      limit: null,
      ...THIS_MACHINE,
      now: world.now,
    }),
    onPhase: (phase: { readonly kind: string }) => log.info({ phase: phase.kind }, 'crawl'),
    onReceipt: () => {},
    isStopped: () => leaving.now,
  };
  const end = repeat(LOOK_EVERY_MS, () => crawl({ always: false }, parts), log);
  return {
    async leave() {
      leaving.now = true;
      await end();
    },
  };
}
