import type { ListedEndpoint } from '../crawl/listed-endpoint.ts';
import { URL_MAX_BYTES } from '../limits.ts';
import type { MicroUsd } from '../money/micro-usd.ts';
import type { NonEmpty } from '../non-empty.ts';
import { redactUrl } from '../url/redact-url.ts';
import { type CrawlCode, type CrawlFinding, crawlVerdict } from '../verdict/crawl-words.ts';
import type { Listing } from '../verdict/expected-terms.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { Caip2 } from '../x402/networks.ts';
import type { Offer } from '../x402/offer.ts';
import { quotedPrice } from '../x402/terms.ts';

/** The weekly crawl's result for one listed URL. Null stands for a field that the receipt omits. */
export interface CrawlReceipt {
  readonly id: string;
  readonly url: string;
  readonly claimedPrice: MicroUsd | null;
  readonly quotedPrice: MicroUsd | null;
  readonly payTo: string | null;
  readonly verdict: Verdict['verdict'];
  readonly code: CrawlCode;
  readonly reason: string;
  readonly checkedAt: Date;
  readonly sourceList: string;
  /** Every list the URL is on, the winner first. */
  readonly listedIn: readonly string[];
  readonly method: ProbeMethod;
  readonly httpStatus: number | null;
  readonly network: Caip2 | null;
  readonly listedNetwork: Caip2 | null;
  readonly listedPayTo: string | null;
  /** All that the lists claim, the winner first; absent where they do not differ (gap G99). Not part of the public receipt. */
  readonly listings?: readonly Listing[];
}

export interface CrawledEndpoint {
  readonly id: string;
  readonly listed: ListedEndpoint;
  /** The claim that counts for what the endpoint answered; the winner's by default. */
  readonly listing?: Listing;
  readonly finding: CrawlFinding;
  readonly offer: Offer | null;
  readonly httpStatus: number | null;
  readonly checkedAt: Date;
}

export function crawlReceipt({
  id,
  listed,
  listing = listingsOf(listed)[0],
  finding,
  offer,
  httpStatus,
  checkedAt,
}: CrawledEndpoint): CrawlReceipt {
  const { verdict, code, reason } = crawlVerdict(finding);
  return {
    id,
    // Redaction can make a URL longer, and an index limits the length of its keys.
    url: redactUrl(listed.target.href, 'listed').slice(0, URL_MAX_BYTES),
    claimedPrice: listing.price,
    quotedPrice: offer === null ? null : quotedPrice(offer),
    payTo: offer?.payTo ?? null,
    verdict,
    code,
    reason,
    checkedAt,
    sourceList: listing.sourceList,
    listedIn: [listing.sourceList, ...listed.listedIn.filter((list) => list !== listing.sourceList)],
    method: listed.method,
    httpStatus,
    network: offer?.network ?? null,
    listedNetwork: listing.network,
    listedPayTo: listing.payTo,
    ...(listed.otherClaims === undefined ? {} : { listings: listingsOf(listed) }),
  };
}

/** What the lists claim about an endpoint, the winner first. */
export function listingsOf({ claim, list, otherClaims = [] }: ListedEndpoint): NonEmpty<Listing> {
  return [{ ...claim, sourceList: list }, ...otherClaims];
}

/** The network of the live offer, else that of the listing. */
export function networkOf({ network, listedNetwork }: CrawlReceipt): Caip2 | null {
  return network ?? listedNetwork;
}
