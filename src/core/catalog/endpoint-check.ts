import type { MicroUsd } from '../money/micro-usd.ts';

/** The last unpaid check of a catalog service (gap G24). */
export interface EndpointCheck {
  readonly checkedAt: Date;
  readonly reachable: boolean;
  readonly x402Challenge: boolean;
  readonly quotedPrice: MicroUsd | null;
  readonly priceMatchesListing: boolean | null;
}
