import { z } from 'zod';
import type { EndpointCheck } from '../../core/catalog/endpoint-check.ts';
import type { FactsOnlyService, RankedService, ServiceFacts } from '../../core/catalog/rank-services.ts';
import type { PaidCall } from '../../core/known-answer/paid-call.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { explorerUrl } from '../../core/x402/explorer.ts';
import type { FoundServices, LookUp } from '../../flows/lookup/look-up-services.ts';
import { lookupAccess } from './access.ts';
import { type Links, receiptsByUrl } from './links.ts';
import { serviceListing, serviceListingJson } from './service-listing.ts';
import { caip2, moment, usd, usdOrNull } from './shapes.ts';

const rate = z.number().min(0).max(1).nullable();
const count = z.int().nonnegative();

const paidReceipt = z.object({
  time: moment,
  tx: z.string().nullable(),
  explorer_url: z.string().nullable(),
  charged_usd: z.string().nullable(),
  delivered: z.boolean(),
  quality: z.enum(['pass', 'fail', 'not_graded']),
  quality_reason: z.string(),
  http_status: z.int().nullable(),
  latency_ms: z.int().nullable(),
});

export const lastCheck = z.object({
  checked_at: moment,
  reachable: z.boolean(),
  x402_challenge: z.boolean(),
  quoted_price_usd: usd.nullable(),
  price_matches_listing: z.boolean().nullable(),
});

const serviceFacts = serviceListing.extend({
  price_asset: z.literal('USDC'),
  network: caip2,
  graded_receipts: count,
  passed_receipts: count,
  receipts_considered: count,
  quality_test: z.object({ input: z.string(), pass_if: z.string() }).nullable(),
  last_check: lastCheck.nullable(),
  newest_receipt_at: moment.nullable(),
  stale: z.boolean().describe('The newest paid receipt is over 36 hours old, or there is none'),
  listed_pay_to: z
    .string()
    .nullable()
    .describe('The payee of the listing; pay_to has the payees of our paid calls'),
  pay_to: z.array(z.string()).describe('Distinct payees seen'),
  receipts: z.array(paidReceipt).describe('The last n paid calls, newest first'),
});

export const resultItem = serviceFacts.extend({ pass_rate: rate, pass_rate_low: rate, delivered_rate: rate });
export const factsOnlyItem = serviceFacts.extend({ facts_only_reason: z.string() });

/** A lookup answer without the two members that may differ between tiers (gap G94). */
const lookupFindings = z.object({
  query: z.object({
    task: z.string().nullable(),
    max_price_usd: z.string().nullable(),
    n: z.int(),
    limit: z.int(),
    endpoint: z.string().nullable(),
  }),
  matched: count.describe('Services that matched, before the limit'),
  total: count.describe('The same number, under the name that /v1/services has for it'),
  results: z.array(resultItem),
  facts_only: z.array(factsOnlyItem),
  suggestions: z.array(z.string()).optional().describe('Nearest task names; only when nothing matched'),
  sorting: z.string(),
  links: z.object({
    tasks: z.string(),
    receipts: z.string(),
    skips: z.string(),
    openapi: z.string(),
    receipts_by_url: z
      .string()
      .optional()
      .describe(
        'What is known about the endpoint that was asked for; only if it is no service and has receipts',
      ),
  }),
});

export const lookupResponse = lookupFindings.extend({ generated_at: moment, access: lookupAccess });

const SORTING = 'pass_rate descending with null last, then price ascending, then id';

export function lookupFindingsJson(
  query: LookUp,
  found: FoundServices,
  links: Links,
): z.infer<typeof lookupFindings> {
  const { checks, matched, suggestions, receiptsOf } = found;
  const { tasks, receipts, skips, openapi } = links;
  return {
    query: {
      task: query.task,
      max_price_usd: query.maxPrice === null ? null : formatUsd(query.maxPrice),
      n: query.n,
      limit: query.limit,
      endpoint: query.endpoint,
    },
    matched,
    total: matched,
    results: found.ranked.map((service) => resultJson(service, checks)),
    facts_only: found.factsOnly.map((service) => factsOnlyJson(service, checks)),
    ...(matched === 0 ? { suggestions: [...suggestions] } : {}),
    sorting: SORTING,
    links: {
      tasks,
      receipts,
      skips,
      openapi,
      ...(receiptsOf === null ? {} : { receipts_by_url: receiptsByUrl(links, receiptsOf) }),
    },
  };
}

type Checks = ReadonlyMap<string, EndpointCheck>;

function resultJson(ranked: RankedService, checks: Checks): z.infer<typeof resultItem> {
  const { passRate, passRateLow, deliveredRate } = ranked;
  return {
    ...factsJson(ranked, checks),
    pass_rate: passRate,
    pass_rate_low: passRateLow,
    delivered_rate: deliveredRate,
  };
}

function factsOnlyJson(facts: FactsOnlyService, checks: Checks): z.infer<typeof factsOnlyItem> {
  return { ...factsJson(facts, checks), facts_only_reason: facts.factsOnlyReason };
}

function factsJson(facts: ServiceFacts, checks: Checks): z.infer<typeof serviceFacts> {
  const { service, calls, newestCallAt } = facts;
  const { knownAnswer, network } = service;
  return {
    ...serviceListingJson(service),
    price_asset: 'USDC',
    network: network.network,
    graded_receipts: facts.gradedCalls,
    passed_receipts: facts.passedCalls,
    receipts_considered: calls.length,
    quality_test: knownAnswer === null ? null : { input: knownAnswer.input, pass_if: knownAnswer.pass_if },
    last_check: lastCheckJson(checks.get(service.id) ?? null),
    newest_receipt_at: newestCallAt?.toISOString() ?? null,
    stale: facts.stale,
    listed_pay_to: service.payTo,
    pay_to: [...facts.payees],
    receipts: calls.map((call) => ({
      time: call.calledAt.toISOString(),
      tx: call.tx,
      explorer_url: call.tx === null ? null : explorerUrl(network.network, call.tx),
      charged_usd: chargedOf(call),
      delivered: call.delivered,
      quality: call.quality,
      quality_reason: call.qualityReason,
      http_status: call.httpStatus,
      latency_ms: call.latencyMs,
    })),
  };
}

function chargedOf({ charged }: PaidCall): string | null {
  return charged === null ? null : formatUsd(charged);
}

export function lastCheckJson(check: EndpointCheck | null): z.infer<typeof lastCheck> | null {
  if (check === null) return null;
  return {
    checked_at: check.checkedAt.toISOString(),
    reachable: check.reachable,
    x402_challenge: check.x402Challenge,
    quoted_price_usd: usdOrNull(check.quotedPrice),
    price_matches_listing: check.priceMatchesListing,
  };
}
