import type { Counter } from '../core/access/quota.ts';
import type { LiveReceipt } from '../core/receipt/live-receipt.ts';
import type { Reserved } from './counter-store.ts';
import type { ProbeKey, StoredProbe } from './probe-cache.ts';
import type { SlotHolder } from './target-slots.ts';

/** A probe that wants to begin. */
export interface ProbeStart extends SlotHolder {
  /** Keyed hashes of the addresses that may be dialled; a slot is taken at each (gap G101). */
  readonly addressKeys: readonly string[];
  readonly key: ProbeKey;
  /** A stored probe newer than this makes the new one unnecessary. */
  readonly newerThan: Date;
  /** Raised together with the slot: the caller's quota and the target's minute. */
  readonly counters: readonly Counter[];
}

export type StartAnswer =
  /** The slot is taken and the counters are raised; `used` is in their order. */
  | { readonly kind: 'started'; readonly used: readonly number[] }
  /** A counter is at its limit. `used` is without this call, in the order of the counters. */
  | { readonly kind: 'exhausted'; readonly used: readonly number[] }
  /** Another process is probing this URL. */
  | { readonly kind: 'in_flight' }
  /** All slots of this host and port, or of one of the addresses, are taken. */
  | { readonly kind: 'full' }
  /** A newer probe is in the cache. */
  | { readonly kind: 'known'; readonly probedAt: Date };

/** `urlKey` is a keyed hash of the normalised URL, because the receipt holds the URL redacted. */
export interface KeptReceipt {
  readonly receipt: LiveReceipt;
  readonly urlKey: string;
  /** The statement of the receipt, where it is written already. */
  readonly statement?: string | null;
}

/** What a check leaves behind. */
export interface CheckEnd {
  /** Null when the call has no receipt, such as a look for a price. */
  readonly kept: KeptReceipt | null;
  /** Counters that were raised for the check and are lowered again (gap G06). */
  readonly givenBack: readonly Counter[];
}

/** All that a check writes: one commit before its probe and one after it, or one in all where a probe is reused. */
export interface CheckWrites {
  /** Takes one of the three slots of the target and one at each address, and raises the counters, or does nothing. */
  start(start: ProbeStart, leaseMs: number): Promise<StartAnswer>;
  /** Keeps the probe and the receipt, and frees the slots. */
  finish(start: ProbeStart, probe: StoredProbe, end: CheckEnd): Promise<void>;
  /** Frees the slots of a probe that brought nothing, and lowers these of its counters. */
  abandon(start: ProbeStart, givenBack: readonly Counter[]): Promise<void>;
  /** For a reused probe: raises the counters and keeps the receipt, or does neither. */
  record(counters: readonly Counter[], end: CheckEnd): Promise<Reserved>;
}
