import type { MicroUsd } from '../core/money/micro-usd.ts';

/** What was looked for. */
export type LookupSubject =
  /** A task as a slug, whether any service has it or not. */
  | { readonly kind: 'task'; readonly name: string }
  /** A service by its id; null for an endpoint that is not in the catalog, because its URL may carry a secret. */
  | { readonly kind: 'endpoint'; readonly name: string | null }
  /** Lookups of a moment with too many different ones to tell apart. */
  | { readonly kind: 'other'; readonly name: null };

/** A lookup and what its caller said about itself. For the operator alone: no answer ever depends on it or shows it. */
export interface AttributedLookup {
  readonly subject: LookupSubject;
  readonly client: string | null;
  readonly ref: string | null;
  /** A wallet that the caller names as its own, in lower case; nobody has proved it. */
  readonly payer: string | null;
}

/** What callers say about themselves. */
export type SelfDescription = 'client' | 'ref' | 'payer';

interface Tally {
  readonly lookups: number;
  readonly firstAt: Date;
}

export interface NamedTally extends Tally {
  /** Null counts those who said nothing. */
  readonly name: string | null;
}

export interface SubjectTally extends Tally {
  readonly subject: LookupSubject;
}

/** Counts of lookups by UTC day. What was noted is in memory until it is written: a crash loses it. */
export interface AttributionStore {
  /** Costs next to nothing, never waits and never fails. */
  note(lookup: AttributedLookup, at: Date): void;
  /** Writes what was noted so far. When it fails, all of it is kept for the next time. */
  flush(): Promise<void>;
  /** Written lookups since the beginning of the UTC day of this moment. */
  total(since: Date): Promise<number>;
  /** The same by what callers said, the most frequent first. */
  tally(by: SelfDescription, since: Date, limit: number): Promise<readonly NamedTally[]>;
  /** The same by what was looked for. */
  subjects(since: Date, limit: number): Promise<readonly SubjectTally[]>;
  /** Forgets UTC days that ended before this moment, at most `limit` rows; answers how many it forgot. */
  prune(before: Date, limit: number): Promise<number>;
}

/** A wallet, and since when its payments are of interest. */
export interface DeclaredPayer {
  readonly payer: string;
  readonly since: Date;
}

/** What one wallet paid another. Addresses are in lower case. */
export interface PaidTotal {
  readonly payer: string;
  readonly payTo: string;
  readonly payments: number;
  readonly amount: MicroUsd;
}

export type TransfersRead =
  /** `since` is later than asked where that was further back than is looked. */
  | { readonly kind: 'read'; readonly since: Date; readonly paid: readonly PaidTotal[] }
  | { readonly kind: 'unavailable'; readonly because: 'no_answer' | 'not_base' | 'too_much' };

/** USDC on Base: who paid whom, as the chain itself has it. */
export interface TransferLog {
  paidBy(payers: readonly DeclaredPayer[], payees: readonly string[]): Promise<TransfersRead>;
}
