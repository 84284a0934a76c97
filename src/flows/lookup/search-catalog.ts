import type { EndpointCheck } from '../../core/catalog/endpoint-check.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import { atOrBelow } from '../../core/catalog/task-index.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { order } from '../../core/order.ts';
import type { Catalog } from './look-up-services.ts';

/** A search of the catalog. */
export interface CatalogSearch {
  /** Each of these must be part of a word of the service. */
  readonly words: readonly string[];
  readonly category: string | null;
  readonly maxPrice: MicroUsd | null;
  /** Only those that answered our last unpaid check. */
  readonly reachableOnly: boolean;
  readonly limit: number;
}

export interface BrowsedService {
  readonly service: Service;
  readonly check: EndpointCheck | null;
}

export interface CatalogPart {
  readonly found: readonly BrowsedService[];
  /** How many there are without the limit. */
  readonly total: number;
}

/** Free and unranked: sorted by id, so that the order is not taken for a judgement. */
export async function searchCatalog(
  { words, category, maxPrice, reachableOnly, limit }: CatalogSearch,
  { index, facts }: Catalog,
): Promise<CatalogPart> {
  const wanted = atOrBelow(index.byWords.find(words), maxPrice)
    .filter((service) => category === null || service.category === category)
    .sort((left, right) => order(left.id, right.id));
  const candidates = reachableOnly ? wanted : wanted.slice(0, limit);
  if (candidates.length === 0) return { found: [], total: 0 };
  const checks = await facts.checksOf(candidates.map(({ id }) => id));
  const found = candidates
    .map((service) => ({ service, check: checks.get(service.id) ?? null }))
    .filter(({ check }) => !reachableOnly || check?.reachable === true);
  return { found: found.slice(0, limit), total: reachableOnly ? found.length : wanted.length };
}
