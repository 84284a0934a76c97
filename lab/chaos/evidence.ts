import type { Taken } from '../world/controlled.ts';
import type { SeenRequest } from '../world/surroundings.ts';
import type { Journal, Said } from './journal.ts';

/** Everything the checker looks at: what clients, chain, ledger and sellers have, and not what the service says of itself. */
export interface Evidence {
  readonly journal: Journal;
  /** All transfers of the token by authorization. */
  readonly transfers: readonly Transfer[];
  /** The wallet of the service. */
  readonly payTo: string;
  readonly ledger: readonly LedgerRow[];
  /** What each replica says to a payment whose answer was delivered, when all is quiet. */
  readonly replays: readonly Replay[];
  /** Payments that nobody had said anything about, and what was said when all was quiet; null when nothing was. */
  readonly lateAnswers: ReadonlyMap<string, Said | null>;
  readonly receipts: readonly ReceiptReading[];
  readonly seen: readonly SeenRequest[];
  readonly runs: readonly PublishedRun[];
  /** How many endpoints are on the lists. */
  readonly listed: number;
  readonly taken: readonly TakenNote[];
  /** Connections that did nothing; null when there were none. */
  readonly held: HeldNote | null;
  /** Of the known-answer runner, which pays sellers; null without one. */
  readonly runner: RunnerNote | null;
  /** The transparency log as an auditor reads it; null when it was not read. */
  readonly log: LogNote | null;
  readonly bounds: Bounds;
}

export interface LogNote {
  readonly size: number;
  /** What the audit found. */
  readonly faults: readonly string[];
  /** The hash of each receipt in the log, in hex. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Checkpoints that clients got and that are not part of it. */
  readonly strays: readonly string[];
}

export interface Transfer {
  readonly nonce: string;
  readonly from: string;
  readonly to: string;
  readonly value: bigint;
  readonly tx: string;
}

export interface LedgerRow {
  readonly nonce: string;
  readonly state: string;
  readonly tx: string | null;
  readonly isOpen: boolean;
}

export interface Replay extends Said {
  readonly nonce: string;
}

export interface ReceiptReading {
  readonly id: string;
  readonly replica: string;
  readonly status: number;
  readonly text: string;
}

export interface PublishedRun {
  readonly id: string;
  readonly receipts: number;
}

export interface TakenNote {
  readonly name: string;
  readonly before: Pick<Taken, 'rssBytes' | 'openFiles'>;
  readonly after: Pick<Taken, 'rssBytes' | 'openFiles'>;
}

export interface HeldNote {
  readonly wanted: number;
  /** At a time, and in the middle of the whole round. */
  readonly most: number;
  readonly median: number;
  /** All of them, and nothing else was wrong. */
  readonly calm: {
    readonly startedAt: number;
    readonly endedAt: number;
    readonly openedMs: number;
    readonly median: number;
    /** Memory of the replica for one of them; what the traffic took meanwhile is in it. */
    readonly bytesEach: number;
  };
  /** Over the whole round: those that were let go came again. */
  readonly opened: number;
}

export interface RunnerNote {
  readonly payer: string;
  /** By its own books, in millionths of a dollar. */
  readonly spent: bigint;
  /** Calls without an end. */
  readonly open: number;
}

export interface Bounds {
  /** Requests of all replicas together to one host at a time. */
  readonly perHost: number;
  readonly freePerDay: Readonly<Record<'lookup' | 'check' | 'dry_run', number>>;
  /** How long after a fault a 503 is still because of it. */
  readonly afterFaultMs: number;
  readonly moreRssBytes: number;
  readonly moreFiles: number;
}

export const BOUNDS: Bounds = {
  perHost: 3,
  freePerDay: { lookup: 5, check: 1, dry_run: 50 },
  // A settlement without an owner waits for 45 seconds before somebody else looks at it.
  afterFaultMs: 60_000,
  moreRssBytes: 200 * 1_048_576,
  moreFiles: 60,
};
