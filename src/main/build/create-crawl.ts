import { createSources } from '../../adapters/discovery/create-sources.ts';
import { READING_LIMITS } from '../../adapters/discovery/reading-limits.ts';
import { createGatedFetch } from '../../adapters/probe/gated-fetch.ts';
import type { Store } from '../../adapters/store/store.ts';
import type { DiscoveryList } from '../../core/crawl/list-settings.ts';
import { rankLists } from '../../core/crawl/merge-listed.ts';
import { urlKeyOf } from '../../core/keyed-hash.ts';
import type { CrawlPorts } from '../../flows/crawl/crawl-ports.ts';
import type { RunLog } from '../../flows/log/log-run.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Vantages } from '../../ports/vantages.ts';
import type { Outbound } from './outbound.ts';

export interface CrawlSetting extends Clock {
  readonly store: Pick<Store, 'jobs' | 'runs' | 'crawlWork' | 'slots' | 'openEndpoints'>;
  readonly outbound: Outbound;
  readonly lists: readonly DiscoveryList[];
  readonly secret: string;
  readonly runLog: RunLog;
  /** Hosts that asked to be left alone (gap G77). */
  readonly limit: number | null;
  readonly entropy: (bytes: number) => Uint8Array;
  /** Other points of view, where the service has some. */
  readonly vantages?: Vantages | undefined;
}

/** Each takes up to two sockets. */
const HOSTS_AT_ONCE = 60;
const ID_BYTES = 8;

/** The weekly crawl with its real ports: public lists, prober, store. */
export function createCrawl(
  setting: CrawlSetting,
): Omit<CrawlPorts, 'onPhase' | 'onReceipt' | 'isStopped'> & Pick<CrawlSetting, 'vantages'> {
  const { store, outbound, lists, now, wait, stopwatch, entropy } = setting;
  const fetch = createGatedFetch({
    ...outbound,
    timeoutMs: READING_LIMITS.requestMs,
    maxBytes: READING_LIMITS.pageBytes,
  });
  return {
    jobs: store.jobs,
    runs: store.runs,
    runLog: setting.runLog,
    work: store.crawlWork,
    slots: store.slots,
    openEndpoints: store.openEndpoints,
    lists: createSources(lists, {
      fetch,
      limits: READING_LIMITS,
      now,
      wait,
      random: () => randomShare(entropy),
    }),
    openHost: outbound.openHost,
    vantages: setting.vantages,
    keyOf: urlKeyOf(setting.secret),
    rank: rankLists(lists.map(({ name }) => name)),
    isBlocked: (host) => outbound.policy.optOuts.hasHost(host),
    limit: setting.limit,
    hostsAtOnce: HOSTS_AT_ONCE,
    now,
    wait,
    stopwatch,
    entropy,
    newId: () => Buffer.from(entropy(ID_BYTES)).toString('hex'),
  };
}

function randomShare(entropy: (bytes: number) => Uint8Array): number {
  const [byte = 0] = entropy(1);
  return byte / 256;
}
