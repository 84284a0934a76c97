import { parseTargetUrl, type TargetUrl } from '../../core/url/target-url.ts';
import { type Catalog, type FoundServices, type LookUp, lookUpServices } from './look-up-services.ts';

export type FindServices = (query: LookUp, at: Date) => Promise<FoundServices>;

/** New paid calls appear after at most this long. */
const FRESH_MS = 5_000;
const QUERIES_MAX = 500;
const BYTES_MAX = 32_000_000;

interface Recent {
  readonly found: Promise<FoundServices>;
  readonly at: number;
  bytes: number;
}

export interface FindingPorts extends Catalog {
  /** Whether anything public is stored about a URL. */
  readonly hasReceipts: (target: TargetUrl) => Promise<boolean>;
}

/** Reading the paid calls costs far more than the rest of a lookup, so recent findings are cached, up to so many bytes. */
export function createFindServices(catalog: FindingPorts, bytesMax = BYTES_MAX): FindServices {
  const recent = new Map<string, Recent>();
  const state = { bytes: 0 };
  const forget = (key: string, its: Recent) => {
    if (recent.get(key) !== its) return;
    recent.delete(key);
    state.bytes -= its.bytes;
  };
  const forgetOldest = () => {
    for (const [key, its] of recent) {
      if (recent.size <= QUERIES_MAX && state.bytes <= bytesMax) return;
      forget(key, its);
    }
  };
  const weigh = (key: string, its: Recent, found: FoundServices) => {
    if (recent.get(key) !== its) return;
    its.bytes = bytesOf(key, found);
    state.bytes += its.bytes;
    forgetOldest();
  };
  return (query, at) => {
    const key = keyOf(query);
    const known = recent.get(key);
    if (known !== undefined) {
      // A clock that was set back must not keep them until it has caught up.
      if (Math.abs(at.getTime() - known.at) < FRESH_MS) return known.found;
      forget(key, known);
    }
    const found = findOrPoint(query, catalog, at);
    const mine = { found, at: at.getTime(), bytes: 0 };
    recent.set(key, mine);
    forgetOldest();
    found.then(
      (services) => weigh(key, mine, services),
      // A failure is not kept.
      () => forget(key, mine),
    );
    return found;
  };
}

/** A URL outside the catalog may be known to the crawl and to checks. */
async function findOrPoint(query: LookUp, catalog: FindingPorts, at: Date): Promise<FoundServices> {
  const found = await lookUpServices(query, catalog, at);
  if (found.matched > 0 || query.endpoint === null) return found;
  const reading = parseTargetUrl(query.endpoint);
  if (reading.kind !== 'target' || !(await catalog.hasReceipts(reading.target))) return found;
  return { ...found, receiptsOf: reading.target.href };
}

function keyOf({ task, endpoint, maxPrice, n, limit }: LookUp): string {
  return [task, endpoint, maxPrice, n, limit].join('\n');
}

/** Approximate sizes, with the text that is rendered from them for each public address. */
const SERVICE_BYTES = 4_000;
const CALL_BYTES = 2_000;

function bytesOf(key: string, { ranked, factsOnly }: FoundServices): number {
  let bytes = 2 * key.length + SERVICE_BYTES;
  for (const { calls } of [...ranked, ...factsOnly]) bytes += SERVICE_BYTES + calls.length * CALL_BYTES;
  return bytes;
}
