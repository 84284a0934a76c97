import type { MicroUsd } from '../money/micro-usd.ts';

/** The last unpaid look at a service of the catalog (gap G24). */
export interface EndpointCheck {
  readonly checkedAt: Date;
  readonly reachable: boolean;
  readonly x402Challenge: boolean;
  readonly quotedPrice: MicroUsd | null;
  readonly priceMatchesListing: boolean | null;
}
