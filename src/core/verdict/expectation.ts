import { isNonEmpty } from '../non-empty.ts';
import { isSameAddress } from '../x402/address.ts';
import type { Offer } from '../x402/offer.ts';
import { countedListing } from './counted-listing.ts';
import { type Claim, type Expected, expectedTerms, type Listing } from './expected-terms.ts';
import type { Reading } from './reading.ts';

/** All that is known about the terms of a URL before it is asked. */
export interface Claims {
  readonly request: Claim;
  /** Rows of the last crawl that differ, the winner first. */
  readonly listed: readonly Listing[];
  readonly catalog: readonly Listing[];
}

export interface Expectation {
  readonly expected: Expected;
  /** The listing that counts for this answer: the crawl's, else the catalog's. */
  readonly listing: Listing | null;
}

/**
 * What an answer is compared with. It depends on the answer where the rows of a list differ (gap G99): only an offer that the
 * caller could take confirms one, so that of two payees on two networks the right one is expected.
 */
export function expectationFor({ request, listed, catalog }: Claims, reading: Reading): Expectation {
  const { payTo, network } = request;
  const offers = offersOf(reading).filter(
    (offer) =>
      (network === null || offer.network === network) &&
      (payTo === null || isSameAddress(offer.payTo, payTo)),
  );
  const listing = counted(listed, offers);
  const ours = counted(catalog, offers);
  return { expected: expectedTerms(request, listing, ours), listing: listing ?? ours };
}

function counted(rows: readonly Listing[], offers: readonly Offer[]): Listing | null {
  return isNonEmpty(rows) ? countedListing(rows, offers) : null;
}

function offersOf(reading: Reading): readonly Offer[] {
  return reading.kind === 'answered' && reading.challenge.kind === 'readable' ? reading.challenge.offers : [];
}
