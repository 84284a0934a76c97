import * as z from 'zod';
import type { CatalogPart } from '../../flows/lookup/search-catalog.ts';
import { lastCheck, lastCheckJson } from './lookup-response.ts';
import { serviceListing, serviceListingJson } from './service-listing.ts';

/** A part of the catalog, sorted by id (gap G90). */
export const servicesResponse = z.object({
  count: z.int().nonnegative().describe('Services in results.'),
  total: z.int().nonnegative().describe('Services that match, before the limit.'),
  results: z
    .array(
      serviceListing.extend({
        category: z.string().describe('Category in the catalog.'),
        last_check: lastCheck.nullable().describe('The last unpaid check of the endpoint; null if none.'),
      }),
    )
    .describe('Services, sorted by id.'),
});

export function servicesJson({ found, total }: CatalogPart): z.infer<typeof servicesResponse> {
  return {
    count: found.length,
    total,
    results: found.map(({ service, check }) => {
      const { id, name, provider, ...rest } = serviceListingJson(service);
      return { id, name, provider, category: service.category, ...rest, last_check: lastCheckJson(check) };
    }),
  };
}
