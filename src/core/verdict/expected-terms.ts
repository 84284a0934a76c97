import type { MicroUsd } from '../money/micro-usd.ts';
import { isAddress } from '../x402/address.ts';
import { type Caip2, mainnetOf } from '../x402/networks.ts';

/** A claim about price, payee and network of a call. */
export interface Claim {
  readonly price: MicroUsd | null;
  readonly payTo: string | null;
  readonly network: Caip2 | null;
}

/** The claim of a discovery list, as the last published crawl read it, or of the catalog. */
export interface Listing extends Claim {
  readonly sourceList: string;
}

/** What the live challenge is compared with. */
export interface Expected extends Claim {
  readonly source: 'request' | 'listing' | null;
}

/** Field by field: the caller's claim, then the listing of the last crawl, then the catalog's (gaps G42 and G99). */
export function expectedTerms(
  request: Claim,
  listing: Listing | null,
  catalog: Listing | null = null,
): Expected {
  const sent = request.price !== null || request.payTo !== null || request.network !== null;
  const listed = [listing, catalog].flatMap((one) => one?.network ?? []);
  return {
    price: request.price ?? listing?.price ?? catalog?.price ?? null,
    payTo: request.payTo ?? listing?.payTo ?? catalog?.payTo ?? null,
    network: request.network ?? listed.find((network) => canBeOn(network, request.payTo)) ?? null,
    source: sent ? 'request' : listing === null && catalog === null ? null : 'listing',
  };
}

/** A listed network is not that of a caller's payee who has no address there. */
function canBeOn(network: Caip2, payTo: string | null): boolean {
  const mainnet = mainnetOf(network);
  return payTo === null || mainnet === null || isAddress(payTo, mainnet.addresses);
}
