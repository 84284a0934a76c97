import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { Purchase, PurchaseState } from './purchase.ts';

/** A limit on what purchases may cost together. Left-out members do not narrow it. */
export interface SpendingLimit {
  readonly code: 'over_day_limit' | 'over_host_limit' | 'over_task_limit';
  readonly max: MicroUsd;
  /** Only purchases reserved at this time or later count. */
  readonly since?: Date;
  readonly host?: string;
  readonly task?: string;
}

export type Reserved =
  | { readonly kind: 'reserved' }
  /** Nothing was written. */
  | { readonly kind: 'over'; readonly limit: SpendingLimit; readonly spent: MicroUsd }
  /** Another purchase with this key has a signed payment; nothing was written. */
  | { readonly kind: 'open'; readonly purchase: Purchase };

/** What changes when a purchase moves on. */
export type PurchaseFacts = Partial<
  Pick<
    Purchase,
    'terms' | 'termsSha256' | 'amount' | 'authorization' | 'payment' | 'attempts' | 'answer' | 'chain'
  >
>;

export interface PurchaseMove {
  readonly from: readonly PurchaseState[];
  readonly to: PurchaseState;
  readonly at: Date;
  readonly facts?: PurchaseFacts;
  /** True before a payment is sent: the write must survive a loss of power, not only of the process. */
  readonly durable?: boolean;
}

/** Every member that is given must match. Newest first. */
export interface PurchaseQuery {
  readonly id?: string;
  readonly state?: PurchaseState | 'open' | 'bought';
  readonly key?: string;
  readonly request?: string;
  readonly endpoint?: string;
  readonly termsSha256?: string;
  /** Only purchases that a service witnessed at this time or later. */
  readonly witnessedSince?: Date;
  /** At most so many; 100 when left out. */
  readonly limit?: number;
}

/**
 * Where purchases are kept, for all processes that share a budget. A fault of the store rejects; the guard then refuses, because
 * without the ledger it could neither count nor repeat a payment.
 */
export interface Ledger {
  /**
   * In one step: reservations older than RESERVED_FOR_MS expire, a reservation with the same key is replaced (it expires too), all
   * limits are counted with this purchase in them, and the purchase is inserted as `reserved`. What expired may be forgotten.
   */
  reserve(purchase: Purchase, limits: readonly SpendingLimit[]): Promise<Reserved>;
  /** False when the purchase is in none of the states `from`; nothing was written then. */
  move(id: string, move: PurchaseMove): Promise<boolean>;
  /** The open purchase with this key. */
  open(key: string): Promise<Purchase | null>;
  find(query: PurchaseQuery): Promise<readonly Purchase[]>;
  /** Stops all payments of this ledger until it is called with false. */
  freeze(frozen: boolean): Promise<void>;
  frozen(): Promise<boolean>;
  close(): Promise<void>;
}
