import type { Reference } from '../../core/known-answer/known-answer-test.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import type { Terms } from '../../core/x402/terms.ts';

export interface PurchaseRequest {
  readonly url: string;
  readonly method: ProbeMethod;
  /** JSON; only with POST. */
  readonly body: string | null;
}

/** The answer to a paid request. */
export interface Goods {
  readonly status: number;
  readonly body: Uint8Array;
}

export type Bought =
  /** Nothing was signed: the seller changed its terms, asked for nothing, or did not answer. */
  | { readonly kind: 'not_signed'; readonly why: 'terms_changed' | 'no_challenge' | 'no_answer' }
  /** `goods` is null when nothing came back, although the seller was or could be paid. */
  | {
      readonly kind: 'signed';
      readonly payment: Payment;
      readonly goods: Goods | null;
      /** The answer exceeds our size limit. */
      readonly tooMuch: boolean;
      readonly latencyMs: number;
    };

/** Holds a key and pays sellers with it. The service itself never has one. */
export interface Buyer {
  readonly address: string;
  /** The balance; null when the chain is unavailable. */
  balance(): Promise<MicroUsd | null>;
  /** Pays exactly these terms or nothing. `onSigned` is called before the payment is sent; if it fails, nothing is sent. */
  pay(request: PurchaseRequest, terms: Terms, onSigned: (payment: string) => Promise<void>): Promise<Bought>;
}

/** The value of a free and independent source at the time of a call. */
export interface ReferenceSource {
  /** Null when it is unavailable or its answer is unusable. Never throws. */
  ask(reference: Reference): Promise<string | number | boolean | null>;
}
