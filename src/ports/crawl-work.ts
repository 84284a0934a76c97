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
 * The URLs of a run and the workers that hold them: rows in the store, so that any number of processes can share a run, and a
 * crash repeats only what was not stored. Leases run by the clock of the store, which all of them share.
 */
export interface CrawlWork {
  /**
   * Adds listed URLs to a run that is not sealed. `urlKeys` are keyed hashes of their normalised URLs, in the same order. A URL
   * that the run already has is merged: all lists are kept, and the better claim wins in any order (`mergeListed`).
   */
  list(
    runId: string,
    rows: readonly ListedEndpoint[],
    urlKeys: readonly string[],
    rank: ListRank,
  ): Promise<void>;
  /** URLs of a run that are on a list, at most `limit`, strictly after a key; to copy the rows of a failed list. */
  listed(
    runId: string,
    list: string,
    afterUrlKey: string | null,
    limit: number,
  ): Promise<readonly { readonly urlKey: string; readonly endpoint: ListedEndpoint }[]>;
  /** Ends the listing: from now on hosts can be taken. Idempotent. */
  seal(runId: string): Promise<CrawlProgress>;
  /** Atomically takes up to `limit` free hosts with URLs left, those with the most URLs first. */
  take(runId: string, owner: string, limit: number, leaseMs: number): Promise<readonly HeldHost[]>;
  /** URLs of a host that are not done, in the order of their keys and strictly after one. */
  left(
    runId: string,
    host: string,
    afterUrlKey: string | null,
    limit: number,
  ): Promise<readonly { readonly urlKey: string; readonly endpoint: ListedEndpoint }[]>;
  /**
   * Stores findings on hosts of one owner, marks those URLs as done and extends the leases, all in one transaction. Returns for
   * each host: false, with nothing stored, when the lease is lost; otherwise the rows whose id belongs to another receipt (gap
   * G54), which are not done.
   */
  done(
    holder: Pick<HostHold, 'runId' | 'owner'>,
    findings: readonly HostFindings[],
    leaseMs: number,
  ): Promise<readonly (false | readonly CrawlRow[])[]>;
  /** Extends the lease of a host; false when another worker holds it. */
  renew(hold: HostHold, leaseMs: number): Promise<boolean>;
  /** Frees a host; the rest of it can be taken at once. */
  release(hold: HostHold): Promise<void>;
  progress(runId: string): Promise<CrawlProgress>;
  /** Deletes the work of a run, at most `limit` rows; returns the number. Receipts are not touched. */
  forget(runId: string, limit: number): Promise<number>;
}
