import type { MicroUsd } from '../money/micro-usd.ts';
import type { Caip2 } from '../x402/networks.ts';

/** A claim about price, payee and network of a call. */
export interface Claim {
  readonly price: MicroUsd | null;
  readonly payTo: string | null;
  readonly network: Caip2 | null;
}

/** The claim of a discovery list, as the last published crawl read it. */
export interface Listing extends Claim {
  readonly sourceList: string;
}

/** What the live challenge is compared with. */
export interface Expected extends Claim {
  readonly source: 'request' | 'listing' | null;
}

/** Field by field; the caller's claim takes precedence over the listing's (gap G42). */
export function expectedTerms(request: Claim, listing: Listing | null): Expected {
  const sent = request.price !== null || request.payTo !== null || request.network !== null;
  return {
    price: request.price ?? listing?.price ?? null,
    payTo: request.payTo ?? listing?.payTo ?? null,
    network: request.network ?? listing?.network ?? null,
    source: sent ? 'request' : listing === null ? null : 'listing',
  };
}
