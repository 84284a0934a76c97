import type { MicroUsd } from '../core/money/micro-usd.ts';
import type { ProbeMethod } from '../core/verdict/probe-outcome.ts';
import type { Payment } from '../core/x402/payment-payload.ts';
import type { Terms } from '../core/x402/terms.ts';

export interface PurchaseRequest {
  readonly url: string;
  readonly method: ProbeMethod;
  /** JSON; only with POST. */
  readonly body: string | null;
}

/** What came back for a payment. */
export interface Goods {
  readonly status: number;
  readonly body: Uint8Array;
}

export type Bought =
  /** Nothing was signed: the seller asked for something else by now, for nothing at all, or could not be heard. */
  | { readonly kind: 'not_signed'; readonly why: 'terms_changed' | 'no_challenge' | 'no_answer' }
  /** `goods` is null when the seller was paid, or could be, and nothing came back. */
  | {
      readonly kind: 'signed';
      readonly payment: Payment;
      readonly goods: Goods | null;
      /** Something came back, and more of it than we read. */
      readonly tooMuch: boolean;
      readonly latencyMs: number;
    };

/** Holds a key and pays sellers with it. The service that answers callers never has one. */
export interface Buyer {
  readonly address: string;
  /** What is left; null when the chain could not be asked. */
  balance(): Promise<MicroUsd | null>;
  /** Pays exactly these terms or nothing. `onSigned` is told before the payment leaves this process; when it fails, nothing does. */
  pay(request: PurchaseRequest, terms: Terms, onSigned: (payment: string) => Promise<void>): Promise<Bought>;
}
