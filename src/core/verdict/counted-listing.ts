import type { NonEmpty } from '../non-empty.ts';
import { isSameAddress } from '../x402/address.ts';
import type { Offer } from '../x402/offer.ts';
import type { Listing } from './expected-terms.ts';

/** How many claims of the lists about one URL are kept. More of them are an attack. */
export const CLAIMS_MAX = 8;

/**
 * What counts of several rows about one URL (gap G99). Anybody can add a row to most lists, so a row that comes later proves
 * nothing: where rows name different payees, the one that the endpoint itself confirms counts, and without it none does.
 */
export function countedListing(listings: NonEmpty<Listing>, offers: readonly Offer[]): Listing {
  const [first] = listings;
  const named = listings.filter(({ payTo }) => payTo !== null);
  // There may have been more, and the honest one among those that were dropped: only a confirmed row counts.
  if (listings.length >= CLAIMS_MAX) {
    const priced = listings.filter(({ price }) => price !== null);
    return [...named, ...priced].find(isMetBy(offers)) ?? nothingOf(first);
  }
  if (isDisputed(listings)) {
    return named.find(isMetBy(offers)) ?? named.find(isPaidBy(offers)) ?? withoutTerms(listings);
  }
  // Undisputed, but rows of the same list may differ in price or network, or name no payee. Lists of lower rank do not count.
  const rows = listings.filter(({ sourceList }) => sourceList === first.sourceList);
  const payTo = rows.find((row) => row.payTo !== null)?.payTo ?? null;
  // A row that names less is met by more: it counts only where no row names a price.
  const priced = rows.filter(({ price }) => price !== null);
  const telling = priced.length > 0 ? priced : rows.filter(({ network }) => network !== null);
  const counted = telling.find((row) => isMetBy(offers)({ ...row, payTo })) ?? first;
  return { ...counted, payTo };
}

function isDisputed(listings: NonEmpty<Listing>): boolean {
  const [first = '', ...others] = listings.flatMap(({ payTo }) => payTo ?? []);
  return others.some((payTo) => !isSameAddress(payTo, first));
}

type Test = (listing: Listing) => boolean;

function isMetBy(offers: readonly Offer[]): Test {
  return ({ payTo, price, network }) =>
    offers.some(
      (offer) =>
        (payTo === null || isSameAddress(offer.payTo, payTo)) &&
        (price === null || offer.amountAtomic === price) &&
        (network === null || offer.network === network),
    );
}

function isPaidBy(offers: readonly Offer[]): Test {
  return ({ payTo }) => payTo !== null && offers.some((offer) => isSameAddress(offer.payTo, payTo));
}

/** Nothing of it is expected but a network that all rows name. */
function withoutTerms([first, ...others]: NonEmpty<Listing>): Listing {
  const isAgreed = others.every(({ network }) => network === first.network);
  return { ...nothingOf(first), network: isAgreed ? first.network : null };
}

function nothingOf({ sourceList }: Listing): Listing {
  return { sourceList, price: null, payTo: null, network: null };
}
