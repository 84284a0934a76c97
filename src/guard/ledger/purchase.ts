import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { Authorization } from '../../core/x402/payment-payload.ts';
import type { JsonObject } from '../../core/x402/read-json.ts';

/**
 * reserved -> signed (and sent) -> delivering -> delivered | empty, or -> failed | asked_again | unknown -> sent (again).
 * The chain turns an open purchase into `paid_undelivered` or `never_settled`; what nobody signed,
 * or will ever send, becomes `expired`.
 */
export type PurchaseState =
  | 'reserved'
  | 'signed'
  | 'sent'
  | 'delivering'
  | 'delivered'
  | 'empty'
  | 'failed'
  | 'asked_again'
  | 'unknown'
  | 'paid_undelivered'
  | 'never_settled'
  | 'expired';

/** Not concluded: a purchase in one of these states keeps its key, so that nothing else is bought for the same request. */
export const OPEN_STATES = [
  'reserved',
  'signed',
  'sent',
  'delivering',
  'empty',
  'failed',
  'asked_again',
  'unknown',
] as const satisfies readonly PurchaseState[];

/** Concluded, and the money has moved or is taken to have moved. */
export const BOUGHT_STATES = ['delivered', 'paid_undelivered'] as const satisfies readonly PurchaseState[];

/** The money cannot have moved, so no limit counts it. */
export const UNSPENT_STATES = ['never_settled', 'expired'] as const satisfies readonly PurchaseState[];

/** A payer has so long to sign what it was shown. */
export const RESERVED_FOR_MS = 120_000;

/** What may be signed; amounts are atomic units as text, as in x402. */
export interface PurchaseTerms {
  readonly network: string;
  readonly asset: string;
  readonly amount: string;
  readonly payTo: string;
}

/** One entry of the seller's 402 that passed every rule. */
export interface ApprovedEntry {
  /** The seller's own entry, which it gets back as `accepted`. */
  readonly entry: JsonObject;
  readonly terms: PurchaseTerms;
  readonly termsSha256: string;
}

/** What an Assay service saw from its own place. */
export interface Witness {
  readonly service: string;
  /** Null when a snapshot says it: that has no receipt of its own. */
  readonly receiptId: string | null;
  readonly permalink: string | null;
  readonly termsSha256: string;
  readonly checkedAt: string;
  /** The SHA-256 of the signed file of verdicts, where one was asked in place of the service. */
  readonly snapshot?: string;
}

/** One sending of the payment. */
export interface Attempt {
  readonly at: string;
  /** The HTTP status, or null when no answer came. */
  readonly status: number | null;
}

export interface Answer {
  readonly at: string;
  readonly status: number;
  readonly contentType: string | null;
  /** Null while a stream is under way. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** PAYMENT-RESPONSE or X-PAYMENT-RESPONSE as received: what the seller says about the settlement. */
  readonly paymentResponse: string | null;
}

/** What the token contract says about the authorization. */
export interface ChainFact {
  readonly askedAt: string;
  readonly used: boolean;
  readonly transaction: string | null;
}

/** One purchase from the 402 to its end. Holds no key; the signed payment is there only while it may be sent again. */
export interface Purchase {
  readonly id: string;
  /** The SHA-256 of method, URL, body and purchase name: one open purchase for each. */
  readonly key: string;
  readonly state: PurchaseState;
  /** The SHA-256 of method, URL and body: the same request, whatever its purchase name. */
  readonly request: string;
  /** The SHA-256 of method, origin and path. */
  readonly endpoint: string;
  readonly host: string;
  /** Without what looks like a secret. */
  readonly url: string;
  readonly method: string;
  readonly bodySha256: string | null;
  /** The SHA-256 of what its caller logged in with: neither its payment nor its answer is for anybody else. */
  readonly credentials: string | null;
  /** The 402 came after a redirect within its origin, so the paid request may be redirected within it as well. */
  readonly redirected: boolean;
  readonly task: string | null;
  readonly name: string | null;
  /** The terms that were signed; before that, the first of those that may be. */
  readonly terms: PurchaseTerms;
  readonly termsSha256: string;
  /** Held or spent, in micro-USD. */
  readonly amount: MicroUsd;
  readonly approved: readonly ApprovedEntry[];
  /** The 402 as received: PAYMENT-REQUIRED, or the body where there was no header. */
  readonly challenge: string;
  readonly rulesVersion: string;
  readonly witness: Witness | null;
  readonly authorization: Authorization | null;
  /** The payment as sent. A bearer capability until it expires, so it is dropped as soon as it is not needed. */
  readonly payment: string | null;
  readonly attempts: readonly Attempt[];
  readonly answer: Answer | null;
  readonly chain: ChainFact | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
