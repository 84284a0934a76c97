import type { LiveReceipt } from '../core/receipt/live-receipt.ts';

/**
 * One payment buys one answer (gap G63). A payment is claimed before anything is done for it, its answer is stored before
 * it is settled, and the final bytes are frozen together with the settlement (gap G64).
 */
export type PaymentState = 'claimed' | 'settling' | 'settled' | 'rejected' | 'unknown';

export interface PaymentClaim {
  /** network|asset|payer|nonce, lower-case: unique over all endpoints and processes. */
  readonly key: string;
  /** A hash of the operation and its canonical parameters: what the payment is for. */
  readonly requestKey: string;
  /** The buyer's own name for this payment, where one was sent (gap G67). */
  readonly identifier: string | null;
  /** A random name of this attempt; only it may go on with the claim. */
  readonly holder: string;
  readonly claimedAt: Date;
  /** Until when the claim stands without further word: a process that died must not keep a payment for ever. */
  readonly heldUntil: Date;
}

/** The answer as the buyer gets it, to the byte. */
export interface FrozenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type ClaimResult =
  | { readonly kind: 'claimed' }
  /** The payment, or its identifier, already stands for something else. */
  | { readonly kind: 'other_request' }
  /** Somebody else is at work on it, or its settlement is still open. */
  | { readonly kind: 'pending'; readonly state: 'claimed' | 'settling' | 'unknown' }
  /** `answer` is null once it was kept long enough. */
  | { readonly kind: 'settled'; readonly answer: FrozenAnswer | null };

/** What is stored before the settlement is asked for. The receipt cannot be read by anybody until it is settled. */
export interface PreparedAnswer {
  /** The answer without its settlement fields. */
  readonly body: string;
  readonly receipt: { readonly receipt: LiveReceipt; readonly urlKey: string } | null;
}

/** A settlement whose outcome is not known here. */
export interface OpenSettlement {
  readonly key: string;
  readonly state: 'settling' | 'unknown';
  readonly preparedBody: string;
  /** The payment as it was sent to the facilitator, for asking again. */
  readonly payment: string;
  readonly since: Date;
}

export interface PaymentLedger {
  /** One atomic step. A claim that ran out, and a payment whose settlement was refused, can be claimed again. */
  claim(claim: PaymentClaim): Promise<ClaimResult>;
  /** Gives a claim back as if it had never been; nothing happens when the holder no longer has it. */
  release(key: string, holder: string): Promise<void>;
  /** claimed to settling, with the answer and its hidden receipt, in one step. False when the holder lost the claim. */
  prepare(key: string, holder: string, prepared: PreparedAnswer, payment: string, at: Date): Promise<boolean>;
  /** settling or unknown to settled: freezes the bytes and makes the receipt readable, in one step; once. */
  settle(key: string, answer: FrozenAnswer, tx: string, at: Date): Promise<FrozenAnswer>;
  /** settling or unknown to rejected; the hidden receipt is forgotten. */
  reject(key: string, at: Date): Promise<void>;
  /** settling to unknown: neither yes nor no came back. */
  leaveOpen(key: string, at: Date): Promise<void>;
  /** Settlements without an outcome since before this moment, oldest first. */
  open(before: Date, limit: number): Promise<readonly OpenSettlement[]>;
  /** Forgets the bytes, not the payments, of settlements before this moment; at most `limit` of them. */
  prune(before: Date, limit: number): Promise<number>;
}
