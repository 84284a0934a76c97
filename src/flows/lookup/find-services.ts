import { type Catalog, type FoundServices, type LookUp, lookUpServices } from './look-up-services.ts';

export type FindServices = (query: LookUp, at: Date) => Promise<FoundServices>;

/** New paid calls appear after at most this long. */
const FRESH_MS = 5_000;
const QUERIES_MAX = 500;

interface Recent {
  readonly found: Promise<FoundServices>;
  readonly until: number;
}

/** Reading the paid calls costs far more than the rest of a lookup, so recent findings are cached. */
export function createFindServices(catalog: Catalog): FindServices {
  const recent = new Map<string, Recent>();
  return (query, at) => {
    const key = keyOf(query);
    const known = recent.get(key);
    if (known !== undefined && at.getTime() < known.until) return known.found;
    const found = lookUpServices(query, catalog, at);
    const mine = { found, until: at.getTime() + FRESH_MS };
    recent.delete(key);
    recent.set(key, mine);
    forgetOldest(recent);
    // A failure is not kept.
    found.catch(() => recent.get(key) === mine && recent.delete(key));
    return found;
  };
}

function keyOf({ task, endpoint, maxPrice, n, limit }: LookUp): string {
  return [task, endpoint, maxPrice, n, limit].join('\n');
}

function forgetOldest(recent: Map<string, Recent>): void {
  const [oldest] = recent.keys();
  if (recent.size > QUERIES_MAX && oldest !== undefined) recent.delete(oldest);
}
