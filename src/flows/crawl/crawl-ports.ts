import type { HoldReason } from '../../core/crawl/hold-run.ts';
import type { ListRank } from '../../core/crawl/merge-listed.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CrawlRunStore } from '../../ports/crawl-runs.ts';
import type { CrawlWork } from '../../ports/crawl-work.ts';
import type { DiscoverySource } from '../../ports/discovery.ts';
import type { JobStore } from '../../ports/job-store.ts';
import type { OpenEndpoints } from '../../ports/probe-cache.ts';
import type { OpenHost } from '../../ports/prober.ts';
import type { TargetSlots } from '../../ports/target-slots.ts';
import type { Vantages } from '../../ports/vantages.ts';
import type { RunLog } from '../log/log-run.ts';

/** What a worker needs to probe the hosts of a run. */
export interface ProbePorts extends Clock {
  readonly work: CrawlWork;
  readonly slots: TargetSlots;
  readonly openEndpoints: OpenEndpoints;
  readonly keyOf: (text: string) => string;
  readonly openHost: OpenHost;
  /** Random bytes, for the salts of statements. */
  readonly entropy: (bytes: number) => Uint8Array;
  /** Hosts that are probed at the same time. */
  readonly hostsAtOnce: number;
  /** Called for every check; after a crash some are made again. */
  readonly onReceipt: (receipt: CrawlReceipt, host: string, ms: number) => void;
  readonly isStopped: () => boolean;
  /** Asked about a skip, and about a `pay` from their price on, before it is published; absent where nobody else is asked. */
  readonly vantages?: Vantages | undefined;
}

/** What the leader of a run needs. */
export interface CrawlPorts extends ProbePorts {
  readonly jobs: JobStore;
  readonly runs: CrawlRunStore;
  /** Null publishes runs without a tree in the transparency log. */
  readonly runLog: RunLog | null;
  readonly lists: readonly DiscoverySource[];
  readonly rank: ListRank;
  /** Hosts that asked to be left alone (gap G77). */
  readonly isBlocked: (host: string) => boolean;
  /** The most endpoints to take from a list; null for all of them. */
  readonly limit: number | null;
  /** Unique among workers and runs. */
  readonly newId: () => string;
  readonly onPhase: (phase: CrawlPhase) => void;
  /** What is made of a published run; a failure is made good by the service's own rounds. */
  readonly afterPublishing?: () => Promise<unknown>;
}

/** Progress, for a person who watches. */
export type CrawlPhase =
  | { readonly kind: 'begun'; readonly runId: string; readonly resumed: boolean }
  | {
      readonly kind: 'list_read';
      readonly list: string;
      readonly note: string;
      readonly items: number | null;
    }
  | { readonly kind: 'probing'; readonly urls: number; readonly hosts: number; readonly urlsLeft: number }
  | { readonly kind: 'published'; readonly run: CrawlRun }
  /** Not published, and begun anew later. */
  | { readonly kind: 'held'; readonly reason: HoldReason; readonly retryAt: Date }
  /** A preview, which is not published. */
  | { readonly kind: 'shown'; readonly run: CrawlRun };
