import { z } from 'zod';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { BrowsedService } from '../../flows/lookup/search-catalog.ts';
import { lastCheck, lastCheckJson } from './lookup-response.ts';
import { probeMethod } from './shapes.ts';

/** A part of the catalog, sorted by id (gap G90). */
export const servicesResponse = z.object({
  count: z.int().nonnegative(),
  results: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      category: z.string(),
      endpoint: z.string(),
      method: probeMethod,
      price_usd: z.string().describe('Listed price per call, a decimal string'),
      tasks: z.array(z.string()),
      last_check: lastCheck.nullable(),
    }),
  ),
});

export function servicesJson(found: readonly BrowsedService[]): z.infer<typeof servicesResponse> {
  return {
    count: found.length,
    results: found.map(({ service, check }) => ({
      id: service.id,
      name: service.name,
      category: service.category,
      endpoint: service.endpoint.href,
      method: service.method,
      price_usd: formatUsd(service.price),
      tasks: service.tasks,
      last_check: lastCheckJson(check),
    })),
  };
}
