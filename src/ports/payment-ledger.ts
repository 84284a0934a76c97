import type { LiveReceipt } from '../core/receipt/live-receipt.ts';

/**
 * One payment buys one answer (gap G63). A payment is claimed before anything is done for it, its answer is stored before
 * it is settled, and the final bytes are frozen together with the settlement (gap G64).
 */
export type PaymentState = 'claimed' | 'settling' | 'settled' | 'rejected' | 'unknown';

/** A payment and what it is for. */
export interface PaidRequest {
  /** network|asset|payer|nonce, lower-case: unique over all endpoints and processes. */
  readonly key: string;
  /** A hash of the operation, its canonical parameters and the signature: what the payment is for, and that it is the same. */
  readonly requestKey: string;
  /** The buyer's own name for this payment, where one was sent (gap G67). */
  readonly identifier: string | null;
}

/** One attempt at a payment; only the one that holds the claim may go on with it. */
export interface Attempt {
  readonly key: string;
  /** A random name of the attempt. */
  readonly holder: string;
}

export interface PaymentClaim extends PaidRequest, Attempt {
  readonly claimedAt: Date;
  /**
   * Until when the claim stands without further word: a process that died must not keep a payment for ever. More than five
   * minutes ahead it is the word of a wrong clock, and does not stand (gap L76).
   */
  readonly heldUntil: Date;
}

/** The answer as the buyer gets it, to the byte. */
export interface FrozenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What already stands for a payment. */
export type Standing =
  /** The payment, or its identifier, already stands for something else. */
  | { readonly kind: 'other_request' }
  /** Somebody else is at work on it, or its settlement is still open. */
  | { readonly kind: 'pending'; readonly state: 'claimed' | 'settling' | 'unknown' }
  /** `answer` is null once it was kept long enough. */
  | { readonly kind: 'settled'; readonly answer: FrozenAnswer | null };

export type ClaimResult = { readonly kind: 'claimed' } | Standing;

/** What is stored before the settlement is asked for. The receipt cannot be read by anybody until it is settled. */
export interface PreparedAnswer {
  /** What was sold: it decides how the settlement is written into the answer. */
  readonly operation: PaidOperation;
  /** The answer without its settlement fields. */
  readonly body: string;
  readonly receipt: { readonly receipt: LiveReceipt; readonly urlKey: string } | null;
}

export type PaidOperation = 'lookup' | 'spot_check' | 'pack';

/** A settlement whose outcome is not known here. */
export interface OpenSettlement extends Attempt {
  readonly state: 'settling' | 'unknown';
  readonly prepared: Pick<PreparedAnswer, 'operation' | 'body'>;
  /** The payment as it was sent to the facilitator, for asking again. */
  readonly payment: string;
  readonly since: Date;
}

/** A row that should be one, of which nobody can make sense. It stays as it is, for a person to look at. */
export interface UnreadableSettlement {
  readonly state: 'unreadable';
  readonly key: string;
  readonly since: Date;
}

export interface PaymentLedger {
  /** What stands for this payment at this moment; null when it could be claimed. Changes nothing. */
  look(request: PaidRequest, at: Date): Promise<Standing | null>;
  /**
   * The same, for whoever is about to give the answer away: a claim of this request that ran out is ended, in one step with
   * the look, so that an attempt which is only slow can no longer settle it (gap L78).
   */
  lookAndEnd(request: PaidRequest, at: Date): Promise<Standing | null>;
  /** One atomic step. A claim that ran out, and a payment whose settlement was refused, can be claimed again. */
  claim(claim: PaymentClaim): Promise<ClaimResult>;
  /** Gives a claim back as if it had never been; nothing happens when the holder no longer has it. */
  release(attempt: Attempt): Promise<void>;
  /** claimed to settling, with the answer and its hidden receipt, in one step. False when the holder lost the claim. */
  prepare(attempt: Attempt, prepared: PreparedAnswer, payment: string, at: Date): Promise<boolean>;
  /** settling or unknown to settled: freezes the bytes and makes the receipt readable, in one step; once. */
  settle(attempt: Attempt, answer: FrozenAnswer, tx: string, at: Date): Promise<FrozenAnswer>;
  /** settling or unknown to rejected; the hidden receipt is forgotten. False when it was not this attempt's to reject. */
  reject(attempt: Attempt, at: Date): Promise<boolean>;
  /** settling to unknown: neither yes nor no came back. */
  leaveOpen(attempt: Attempt, at: Date): Promise<void>;
  /** Settlements without an outcome since before this moment, oldest first, strictly after one of them when it is given. */
  open(
    before: Date,
    limit: number,
    after?: Pick<OpenSettlement, 'key' | 'since'>,
  ): Promise<readonly (OpenSettlement | UnreadableSettlement)[]>;
  /** Forgets the bytes of settlements before this moment, and claims and refusals that ran out before it; at most `limit`. */
  prune(before: Date, limit: number): Promise<number>;
}
