import { z } from 'zod';
import type { KnownService } from '../../flows/lookup/read-service.ts';
import type { Links } from './links.ts';
import { lookupFindingsJson, resultItem } from './lookup-response.ts';

/** All that is known of one service: an item of a lookup, and what only the catalog says. */
export const serviceResponse = resultItem.extend({
  provider: z.string(),
  category: z.string(),
  description: z.string(),
  listed_pay_to: z.string().nullable().describe('The payee of the listing; pay_to are those that were paid'),
  source: z
    .object({ list: z.string(), seen_on: z.iso.date() })
    .describe('Where and when it was found listed'),
  facts_only_reason: z.string().nullable().describe('Why it is not ranked; then there are no rates'),
});

export type ServiceJson = z.infer<typeof serviceResponse>;

export function serviceJson({ service, query, found }: KnownService, links: Links): ServiceJson {
  const { results, facts_only } = lookupFindingsJson(query, found, links);
  const [item] = [...results, ...facts_only];
  if (item === undefined) throw new Error(`a lookup of ${service.id} does not find it`);
  const { provider, category, description, payTo, source } = service;
  return {
    pass_rate: null,
    pass_rate_low: null,
    delivered_rate: null,
    facts_only_reason: null,
    ...item,
    provider,
    category,
    description,
    listed_pay_to: payTo,
    source: { list: source.list, seen_on: source.seenOn },
  };
}
