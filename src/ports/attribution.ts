import type { MicroUsd } from '../core/money/micro-usd.ts';

/** The subject of a lookup. */
export type LookupSubject =
  /** A task as a slug, known or not. */
  | { readonly kind: 'task'; readonly name: string }
  /** A service id; null for an endpoint that is not in the catalog, because its URL may contain a secret. */
  | { readonly kind: 'endpoint'; readonly name: string | null }
  /** Lookups beyond the number of subjects that are kept in memory. */
  | { readonly kind: 'other'; readonly name: null };

/** A lookup and what its caller says about itself. Only for the operator: no answer depends on it or shows it. */
export interface AttributedLookup {
  readonly subject: LookupSubject;
  readonly client: string | null;
  readonly ref: string | null;
  /** A wallet that the caller names as its own, in lower case; unverified. */
  readonly payer: string | null;
}

/** What callers say about themselves. */
export type SelfDescription = 'client' | 'ref' | 'payer';

interface Tally {
  readonly lookups: number;
  readonly firstAt: Date;
}

export interface NamedTally extends Tally {
  /** Null: lookups without this value. */
  readonly name: string | null;
}

export interface SubjectTally extends Tally {
  readonly subject: LookupSubject;
}

/** Counts of lookups by UTC day. Notes stay in memory until they are written: a crash loses them. */
export interface AttributionStore {
  /** In memory: never waits and never fails. */
  note(lookup: AttributedLookup, at: Date): void;
  /** Writes the notes. After a failure they are kept for the next attempt. */
  flush(): Promise<void>;
  /** Written lookups since the beginning of the UTC day of this moment. */
  total(since: Date): Promise<number>;
  /** The same by one field, the most frequent first. */
  tally(by: SelfDescription, since: Date, limit: number): Promise<readonly NamedTally[]>;
  /** The same by subject. */
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
  /** `since` is later than requested if the request exceeds the searched range. */
  | { readonly kind: 'read'; readonly since: Date; readonly paid: readonly PaidTotal[] }
  | { readonly kind: 'unavailable'; readonly because: 'no_answer' | 'not_base' | 'too_much' };

/** Transfers of USDC on Base, from the chain. */
export interface TransferLog {
  paidBy(payers: readonly DeclaredPayer[], payees: readonly string[]): Promise<TransfersRead>;
}
