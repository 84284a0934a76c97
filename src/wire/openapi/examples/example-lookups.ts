import type { z } from 'zod';
import { FREE_LOOKUPS_PER_DAY } from '../../../core/limits.ts';
import { freeAccessJson, THEN_LOOKUP, thenOf } from '../../responses/access.ts';
import type { Links } from '../../responses/links.ts';
import type { lookupResponse } from '../../responses/lookup-response.ts';
import type { serviceListing } from '../../responses/service-listing.ts';
import type { ServiceJson } from '../../responses/service-response.ts';
import type { servicesResponse } from '../../responses/services-response.ts';
import * as value from './example-values.ts';

type LookupResponse = z.infer<typeof lookupResponse>;

export function lookupFree(links: Links, sells: boolean): LookupResponse {
  const { tasks, receipts, skips, openapi } = links;
  return {
    query: { task: 'weather', max_price_usd: '0.05', n: 5, limit: 10, endpoint: null },
    matched: 1,
    total: 1,
    results: [RESULT],
    facts_only: [],
    sorting: 'pass_rate descending with null last, then price ascending, then id',
    links: { tasks, receipts, skips, openapi },
    generated_at: value.CHECKED_AT,
    access: freeAccessJson(
      { perDay: FREE_LOOKUPS_PER_DAY, used: 1, remaining: 4 },
      thenOf(THEN_LOOKUP, sells),
    ),
  };
}

export function lookupNothing(found: LookupResponse): LookupResponse {
  return {
    ...found,
    query: { ...found.query, task: 'wether' },
    matched: 0,
    total: 0,
    results: [],
    suggestions: ['weather'],
  };
}

const LISTING: z.infer<typeof serviceListing> = {
  id: 'plain-weather',
  name: 'Plain Weather',
  provider: 'Example Instruments',
  description: 'Current temperature and wind for a pair of coordinates.',
  endpoint: value.ENDPOINT,
  method: 'GET',
  example: { method: 'GET', url: value.ENDPOINT, body: null },
  price_usd: '0.01',
  tasks: ['weather'],
};

const RESULT: LookupResponse['results'][number] = {
  ...LISTING,
  price_asset: 'USDC',
  network: value.NETWORK,
  pass_rate: 1,
  pass_rate_low: 0.207,
  delivered_rate: 1,
  graded_receipts: 1,
  passed_receipts: 1,
  receipts_considered: 1,
  quality_test: { input: 'the weather of a known day', pass_if: 'the temperature of that day' },
  last_check: {
    checked_at: value.CHECKED_AT,
    reachable: true,
    x402_challenge: true,
    quoted_price_usd: 0.01,
    price_matches_listing: true,
  },
  newest_receipt_at: value.CHECKED_AT,
  stale: false,
  listed_pay_to: value.SELLER,
  pay_to: [value.SELLER],
  receipts: [
    {
      time: value.CHECKED_AT,
      tx: value.TX,
      explorer_url: value.EXPLORER,
      charged_usd: '0.01',
      delivered: true,
      quality: 'pass',
      quality_reason: 'the check passed',
      http_status: 200,
      latency_ms: 120,
    },
  ],
};

export const SERVICE: ServiceJson = {
  ...RESULT,
  category: 'weather',
  source: { list: 'a-list', seen_on: '2026-11-01' },
  facts_only_reason: null,
};

export const SERVICES: z.infer<typeof servicesResponse> = {
  count: 1,
  total: 1,
  results: [{ ...LISTING, category: SERVICE.category, last_check: SERVICE.last_check }],
};
