import type { Presented } from '../core/payment/replay.ts';
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
  /** A hash of the operation, its canonical parameters and the signature: identifies what the payment is for. */
  readonly requestKey: string;
  /** The buyer's payment identifier behind the payer's address, if there is one (gap G67). */
  readonly identifier: string | null;
  /** Who presents it: a keyed hash of the caller's network prefix (gap G97). */
  readonly from: string;
}

/** One attempt at a payment; only the holder of the claim may continue. */
export interface Attempt {
  readonly key: string;
  /** A random id of the attempt. */
  readonly holder: string;
}

export interface PaymentClaim extends PaidRequest, Attempt {
  readonly claimedAt: Date;
  /**
   * The end of the claim: a process that died must not keep a payment for ever. More than five minutes ahead it comes from a
   * wrong clock and is invalid (gap L76).
   */
  readonly heldUntil: Date;
}

/** The exact bytes of the buyer's answer. */
export interface FrozenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Goods that come before the body: every buyer gets the same, so the ledger does not keep them. */
  readonly goods?: 'pack' | undefined;
  readonly body: string;
}

/** The recorded state of a payment. */
export type Standing =
  /** The payment, or its identifier, was used for another request. */
  | { readonly kind: 'other_request' }
  /** Another attempt is in progress, or its settlement is still open. */
  | { readonly kind: 'pending'; readonly state: 'claimed' | 'settling' | 'unknown' }
  /** Its transaction failed on the chain: it has bought nothing and never will. */
  | { readonly kind: 'reverted' }
  /** `answer` is null after the retention time. */
  | { readonly kind: 'settled'; readonly answer: FrozenAnswer | null; readonly presented: Presented };

export type ClaimResult = { readonly kind: 'claimed' } | Standing;

/** What is stored before the settlement is requested. The receipt is hidden until it is settled. */
export interface PreparedAnswer {
  /** What was sold: it decides how the settlement is written into the answer. */
  readonly operation: PaidOperation;
  /** The answer without its settlement fields; empty for the pack, whose goods every buyer shares. */
  readonly body: string;
  readonly receipt: { readonly receipt: LiveReceipt; readonly urlKey: string } | null;
}

export type PaidOperation = 'lookup' | 'spot_check' | 'pack';

/** A settlement whose outcome is not known here. */
export interface OpenSettlement extends Attempt {
  readonly state: 'settling' | 'unknown';
  readonly prepared: PreparedAnswer;
  /** The payment as sent to the facilitator, to ask again. */
  readonly payment: string;
  readonly since: Date;
}

/** An unreadable row. It stays unchanged, for the operator. */
export interface UnreadableSettlement {
  readonly state: 'unreadable';
  readonly key: string;
  readonly since: Date;
}

export interface PaymentLedger {
  /** The current state of this payment; null when it can be claimed. Changes nothing. */
  look(request: PaidRequest, at: Date): Promise<Standing | null>;
  /**
   * The same, before the answer is given away for free: atomically ends an expired claim of this request, so that an attempt
   * that is only slow can no longer settle it (gap L78).
   */
  lookAndEnd(request: PaidRequest, at: Date): Promise<Standing | null>;
  /** Atomic. An expired claim, and a payment whose settlement was refused, can be claimed again. */
  claim(claim: PaymentClaim): Promise<ClaimResult>;
  /** Gives a claim back without a trace; does nothing when the holder no longer has it. */
  release(attempt: Attempt): Promise<void>;
  /** claimed to settling, with the answer and its hidden receipt, in one step. False when the holder lost the claim. */
  prepare(attempt: Attempt, prepared: PreparedAnswer, payment: string, at: Date): Promise<boolean>;
  /** settling or unknown to settled: freezes the bytes and makes the receipt readable, in one step; once. */
  settle(attempt: Attempt, answer: FrozenAnswer, tx: string, at: Date): Promise<FrozenAnswer>;
  /**
   * settling to rejected, by the request that works on it; deletes the hidden receipt. False when another attempt holds it, or a
   * reconciler has begun to ask, whose settlement may still go through. With the transaction that reverted the payment cannot be
   * claimed again.
   */
  refuse(attempt: Attempt, at: Date, revertedTx?: string | null): Promise<boolean>;
  /** The same for a reconciler, also from unknown. */
  reject(attempt: Attempt, at: Date, revertedTx?: string | null): Promise<boolean>;
  /** The answer was written out completely; only the first time counts. */
  deliver(key: string, to: string, at: Date): Promise<void>;
  /** Takes one of the transactions that our key may send for this open payment; false when none is left, or it is too early. */
  takeSend(attempt: Attempt, at: Date): Promise<boolean>;
  /** No more transactions for this payment. */
  endSends(attempt: Attempt): Promise<void>;
  /** settling to unknown: the outcome is not known. False when it was not settling, or another attempt holds it. */
  leaveOpen(attempt: Attempt, at: Date): Promise<boolean>;
  /** Settlements without an outcome since before this time, oldest first, strictly after `after` if it is given. */
  open(
    before: Date,
    limit: number,
    after?: Pick<OpenSettlement, 'key' | 'since'>,
  ): Promise<readonly (OpenSettlement | UnreadableSettlement)[]>;
  /** Forgets the bytes of settlements before this moment, and claims and refusals that ran out before it; at most `limit`. */
  prune(before: Date, limit: number): Promise<number>;
}
