import type { Service } from '../../core/catalog/read-catalog.ts';
import { LOOKUP_RECEIPTS } from '../../core/limits.ts';
import { type Catalog, type FoundServices, type LookUp, lookUpServices } from './look-up-services.ts';

/** A service of the catalog, and what a lookup of just this one finds. */
export interface KnownService {
  readonly service: Service;
  readonly query: LookUp;
  readonly found: FoundServices;
}

/** By its id, exactly. The facts come from a lookup itself, so that the two can never say different things. */
export async function readService(id: string, catalog: Catalog, now: Date): Promise<KnownService | null> {
  const service = catalog.index.byId.get(id);
  if (service === undefined) return null;
  const query = { task: null, endpoint: id, maxPrice: null, n: LOOKUP_RECEIPTS.max, limit: 1 };
  return { service, query, found: await lookUpServices(query, catalog, now) };
}
