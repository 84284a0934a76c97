import type { ServiceFacts } from '../../core/catalog/rank-services.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import { LOOKUP_RECEIPTS } from '../../core/limits.ts';
import { type Catalog, type FoundServices, type LookUp, lookUpServices } from './look-up-services.ts';

/** A catalog service and the lookup of just this one. */
export interface KnownService {
  readonly service: Service;
  readonly query: LookUp;
  readonly found: FoundServices;
  readonly facts: ServiceFacts;
}

/** By its exact id. The facts come from a lookup, so that both always agree. */
export async function readService(id: string, catalog: Catalog, now: Date): Promise<KnownService | null> {
  const service = catalog.index.byId.get(id);
  if (service === undefined) return null;
  const query = { task: null, endpoint: id, maxPrice: null, n: LOOKUP_RECEIPTS.max, limit: 1 };
  const found = await lookUpServices(query, catalog, now);
  const [facts] = [...found.ranked, ...found.factsOnly];
  if (facts === undefined) throw new Error(`a lookup of ${id} does not find it`);
  return { service, query, found, facts };
}
