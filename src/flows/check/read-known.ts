import type { ListedInput } from '../../core/input/listed-input.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { Claims } from '../../core/verdict/expectation.ts';
import type { Listing } from '../../core/verdict/expected-terms.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { StoredProbe } from '../../ports/probe-cache.ts';
import type { CatalogListing } from './catalog-listings.ts';
import type { CheckRequest } from './check-request.ts';
import type { FindProbe } from './probe-once.ts';

export interface KnownPorts {
  readonly findProbe: FindProbe;
  readonly runs: Pick<PublishedRuns, 'inLatestRun'>;
  /** The catalog's own claims about a normalised URL: the second source of a listing (gap G99). */
  readonly catalogListings: (normalizedUrl: string) => Promise<readonly CatalogListing[]>;
  readonly keyOf: (text: string) => string;
}

/** What the store knows about an endpoint. */
export interface Known {
  readonly claims: Claims;
  readonly listed: ListedRequest | null;
  readonly stored: StoredProbe | null;
}

/** How a listing says that the endpoint is called; null for a URL that nobody lists. */
export interface ListedRequest {
  readonly method: ProbeMethod;
  readonly input: ListedInput | null;
}

/** Reads only. */
export async function readKnown(request: CheckRequest, ports: KnownPorts): Promise<Known> {
  const { target, method, claim } = request;
  const [receipt, catalog, bare] = await Promise.all([
    ports.runs.inLatestRun(ports.keyOf(target.normalized)),
    ports.catalogListings(target.normalized),
    ports.findProbe({ target, method }),
  ]);
  const listed = listedRequest(receipt, catalog);
  const body = callerInput(request, listed);
  const stored = body === null ? bare : await ports.findProbe({ target, method, body });
  const claims = {
    request: claim,
    listed: listingsOf(receipt),
    catalog: catalog.map(({ listing }) => listing),
  };
  return { claims, listed, stored };
}

function listedRequest(
  receipt: CrawlReceipt | null,
  [service]: readonly CatalogListing[],
): ListedRequest | null {
  if (receipt !== null) return { method: receipt.method, input: receipt.listedInput ?? null };
  return service === undefined ? null : { method: service.method, input: service.input };
}

/** The caller's input, where it may be sent: otherwise we would post for anybody to anywhere (gap G100). */
export function callerInput(
  { input, method, mode }: CheckRequest,
  listed: ListedRequest | null,
): string | null {
  return input !== undefined && method === 'POST' && mode === 'live' && listed !== null ? input : null;
}

function listingsOf(receipt: CrawlReceipt | null): readonly Listing[] {
  if (receipt === null) return [];
  const { claimedPrice: price, listedPayTo: payTo, listedNetwork: network, sourceList } = receipt;
  return receipt.listings ?? [{ price, payTo, network, sourceList }];
}
