import type { MicroUsd } from '../core/money/micro-usd.ts';

/** A quoted price; it stays payable for a while, even if the price changes (gap G47). */
export interface Quote {
  /** A hash of the request that the price was offered for. */
  readonly key: string;
  readonly amount: MicroUsd;
}

export interface QuoteStore {
  /** Quoting the same price again can only extend it, unless a wrong clock had it end later (gap L76). */
  remember(quote: Quote, until: Date): Promise<void>;
  /** True while the quote is payable; false from `until` on, and where `until` is further ahead than a quote lasts. */
  isOpen(quote: Quote, now: Date): Promise<boolean>;
  /** Forgets quotes that ran out before this moment; at most `limit` of them. */
  prune(before: Date, limit: number): Promise<number>;
}
