import type { MicroUsd } from '../core/money/micro-usd.ts';
import type { Authorization, Payment } from '../core/x402/payment-payload.ts';
import type { PaymentRefusal } from '../core/x402/payment-refusal.ts';

/** What is to be paid, and to whom: USDC on Base, to the last unit. */
export interface Charge {
  readonly amount: MicroUsd;
  readonly payTo: string;
}

export type Verification =
  | { readonly kind: 'valid'; readonly payer: string }
  /** `reason` is a stable code of ours; a library's words never leave the adapter. */
  | { readonly kind: 'invalid'; readonly reason: PaymentRefusal }
  /** The facilitator is unavailable: neither valid nor invalid. */
  | { readonly kind: 'unavailable' };

export type Settlement =
  | { readonly kind: 'settled'; readonly tx: string; readonly payer: string }
  /** This attempt moved no money. After `already_used` an earlier one may have: see the log. */
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal }
  /** Our transaction is on the chain and failed. Another one may have moved the money: see the log. */
  | { readonly kind: 'reverted'; readonly tx: string }
  /** Money may have moved: a timeout, a reset, an unreadable answer. */
  | { readonly kind: 'unknown' };

/** Whose signature a payment has, as far as it can be computed here. A contract decides about longer ones: not known. */
export type SignedBy = 'payer' | 'another' | 'not_known';

export interface SignatureCheck {
  signedBy(payment: Payment): Promise<SignedBy>;
}

/** Asked right before each transaction that is sent at our expense; false: it is not sent (gap L90). */
export type MaySend = () => Promise<boolean>;

/** Verifies and settles payments on Base. Money moves in `settle` and nowhere else. */
export interface Facilitator {
  verify(payment: Payment, charge: Charge): Promise<Verification>;
  settle(payment: Payment, charge: Charge, maySend: MaySend): Promise<Settlement>;
}

/** The on-chain state of an authorization. */
export type AuthorizationUse =
  /** It moved its value to its payee in this transaction. */
  | { readonly kind: 'used'; readonly tx: string }
  /** Canceled, or its nonce went to another transfer: it has not paid and never will. */
  | { readonly kind: 'void' }
  /** Not used as of the latest block that the node knows, which may be an old one; it may still be used until it expires. */
  | { readonly kind: 'unused'; readonly asOf: Date }
  | { readonly kind: 'unavailable' };

/** Reads the token's AuthorizationUsed log, which decides every unknown outcome. */
export interface AuthorizationLog {
  useOf(authorization: Authorization): Promise<AuthorizationUse>;
}
