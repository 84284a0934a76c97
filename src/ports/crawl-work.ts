import type { ListedEndpoint } from '../core/crawl/listed-endpoint.ts';
import type { ListRank } from '../core/crawl/merge-listed.ts';
import type { CrawlRow } from './crawl-runs.ts';

/** A host that one worker holds with all its URLs; the holder alone enforces the limit of requests to it (gap G76). */
export interface HeldHost {
  readonly host: string;
  /** URLs that are not done yet. */
  readonly left: number;
}

/** Who holds a host of a run. */
export interface HostHold {
  readonly runId: string;
  readonly host: string;
  /** A random id of the worker. */
  readonly owner: string;
}

/** Findings on a held host. */
export interface HostFindings {
  readonly host: string;
  readonly rows: readonly CrawlRow[];
}

export interface CrawlProgress {
  readonly hosts: number;
  readonly hostsLeft: number;
  readonly urls: number;
  readonly urlsLeft: number;
}

/**
 * The URLs of a run and who is at work on them: rows in the store, so that any number of processes on any machines share a
 * run, and a crash repeats only what was not yet kept. Leases run by the clock of the store, which all of them share.
 */
export interface CrawlWork {
  /**
   * Adds listed URLs to a run that is not sealed. `urlKeys` are keyed hashes of their normalised URLs, in the same order. A
   * URL that the run has already keeps all its lists, and the better claim wins, whatever comes first (`mergeListed`).
   */
  list(
    runId: string,
    rows: readonly ListedEndpoint[],
    urlKeys: readonly string[],
    rank: ListRank,
  ): Promise<void>;
  /** How many URLs of the run are on this list. */
  listSize(runId: string, list: string): Promise<number>;
  /** URLs of a run that are on a list, in steps of at most `limit`, strictly after a key; for taking over a list that is ill. */
  listed(
    runId: string,
    list: string,
    afterUrlKey: string | null,
    limit: number,
  ): Promise<readonly { readonly urlKey: string; readonly endpoint: ListedEndpoint }[]>;
  /** No more URLs come, and hosts can be taken from now on; sealing again changes nothing. */
  seal(runId: string): Promise<CrawlProgress>;
  /** Takes up to `limit` hosts with something left that nobody holds, those with most URLs first, in one atomic step. */
  take(runId: string, owner: string, limit: number, leaseMs: number): Promise<readonly HeldHost[]>;
  /** URLs of a host that are not done, in the order of their keys and strictly after one. */
  left(
    runId: string,
    host: string,
    afterUrlKey: string | null,
    limit: number,
  ): Promise<readonly { readonly urlKey: string; readonly endpoint: ListedEndpoint }[]>;
  /**
   * Keeps what was found on hosts of one owner and marks those URLs as done, all in one transaction, and holds the hosts for
   * longer. Answers for each host in turn: false, and nothing of it is kept, when it is somebody else's by now; otherwise
   * the rows whose id belongs to another receipt (gap G54), which are not done.
   */
  done(
    holder: Pick<HostHold, 'runId' | 'owner'>,
    findings: readonly HostFindings[],
    leaseMs: number,
  ): Promise<readonly (false | readonly CrawlRow[])[]>;
  /** Holds a host for longer; false when another worker holds it by now. */
  renew(hold: HostHold, leaseMs: number): Promise<boolean>;
  /** Lets go of a host; what is left of it can be taken at once. */
  release(hold: HostHold): Promise<void>;
  progress(runId: string): Promise<CrawlProgress>;
  /** Forgets the work of a run, at most `limit` rows; answers how many. Receipts are not touched. */
  forget(runId: string, limit: number): Promise<number>;
}
