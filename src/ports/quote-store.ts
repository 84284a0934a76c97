import type { MicroUsd } from '../core/money/micro-usd.ts';

/** A price that was offered for a request; it stays payable for a while, whatever the price is by then (gap G47). */
export interface Quote {
  /** A hash of the request that the price was offered for. */
  readonly key: string;
  readonly amount: MicroUsd;
}

export interface QuoteStore {
  /** Offering the same price again makes it payable for longer, never for less. */
  remember(quote: Quote, until: Date): Promise<void>;
  /** True while the quote may still be paid; at the moment of `until` it no longer may. */
  isOpen(quote: Quote, now: Date): Promise<boolean>;
  /** Forgets quotes that ran out before this moment; at most `limit` of them. */
  prune(before: Date, limit: number): Promise<number>;
}
