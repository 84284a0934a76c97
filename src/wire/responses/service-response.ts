import * as z from 'zod';
import type { KnownService } from '../../flows/lookup/read-service.ts';
import type { Links } from './links.ts';
import { lookupFindingsJson, resultItem } from './lookup-response.ts';

/** One service: a lookup item plus the members that only the catalog has. */
export const serviceResponse = resultItem.extend({
  category: z.string().describe('Category in the catalog.'),
  source: z
    .object({
      list: z.string().describe('The list.'),
      seen_on: z.iso.date().describe('The day, UTC.'),
    })
    .describe('Where and when it was found.'),
  facts_only_reason: z
    .string()
    .nullable()
    .describe('Why it is not ranked, and so has no rates; null if it is ranked.'),
});

export type ServiceJson = z.infer<typeof serviceResponse>;

export function serviceJson({ service, query, found }: KnownService, links: Links): ServiceJson {
  const { results, facts_only } = lookupFindingsJson(query, found, links);
  const [item] = [...results, ...facts_only];
  if (item === undefined) throw new Error(`a lookup of ${service.id} does not find it`);
  const { category, source } = service;
  return {
    pass_rate: null,
    pass_rate_low: null,
    delivered_rate: null,
    facts_only_reason: null,
    ...item,
    category,
    source: { list: source.list, seen_on: source.seenOn },
  };
}
