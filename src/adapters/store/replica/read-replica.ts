import type { PageReads } from '../../../ports/crawl-runs.ts';
import type { StoreHealth } from '../../../ports/store-health.ts';
import { publishedRuns } from '../crawl/published-runs.ts';
import { isPublished } from '../crawl/run-queries.ts';
import { DIALECTS } from '../engine/dialect.ts';
import { connectPostgres } from '../postgres/open.ts';
import { receiptPages } from '../receipts/receipt-pages.ts';
import { createFollower, type Follower, type ReplicaState } from './follow-primary.ts';

export interface ReadReplica extends PageReads, Follower {
  isPublished(runId: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface ReplicaSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly primary: Pick<StoreHealth, 'written'>;
  readonly stopwatch: () => number;
  /** Called when the state has changed. */
  readonly onState?: (state: ReplicaState) => void;
}

/** A standby of our database. Opening does not wait for it: until it was seen to be current, nothing is read from it. */
export function openReadReplica({ url, poolSize, ...following }: ReplicaSettings): ReadReplica {
  // Our own database has the answer, so that nobody waits for a standby that is away.
  const { database } = connectPostgres({ url, poolSize, connectTimeoutMs: CONNECT_MS, awayMs: 0 });
  const dialect = DIALECTS.postgres;
  return {
    runs: publishedRuns(database, dialect),
    receipts: receiptPages(database, dialect),
    isPublished: (runId) => isPublished(database, runId),
    ...createFollower({ ...following, replica: database }),
    close: () => database.destroy(),
  };
}

const CONNECT_MS = 1_000;
