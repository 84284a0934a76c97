import * as z from 'zod';
import type { EndpointCheck } from '../../core/catalog/endpoint-check.ts';
import type { FactsOnlyService, RankedService, ServiceFacts } from '../../core/catalog/rank-services.ts';
import type { PaidCall } from '../../core/known-answer/paid-call.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import { explorerUrl } from '../../core/x402/explorer.ts';
import type { FoundServices, LookUp } from '../../flows/lookup/look-up-services.ts';
import { lookupAccess } from './access.ts';
import { type Links, receiptsByUrl } from './links.ts';
import { serviceListing, serviceListingJson } from './service-listing.ts';
import { caip2, closedList, moment, usd, usdOrNull } from './shapes.ts';

const rate = z.number().min(0).max(1).nullable();
const count = z.int().nonnegative();

export const paidReceipt = z.object({
  time: moment.describe('Time of the call, UTC.'),
  tx: z.string().nullable().describe('Settlement transaction; null if nothing was settled.'),
  explorer_url: z.string().nullable().describe('The transaction in a block explorer; null without one.'),
  charged_usd: z.string().nullable().describe('What the seller took, decimal USD; null if nothing.'),
  delivered: z.boolean().describe('Whether the paid call delivered an answer.'),
  quality: closedList('Result of the known-answer test.', {
    pass: 'the answer is right',
    fail: 'the answer is wrong or missing',
    not_graded: 'there was nothing to compare',
  }),
  quality_reason: z.string().describe('Why, in words.'),
  http_status: z.int().nullable().describe('HTTP status of the paid answer; null without one.'),
  latency_ms: z.int().nullable().describe('Milliseconds until the paid answer; null without one.'),
});

export const lastCheck = z
  .object({
    checked_at: moment.describe('Time of the check, UTC.'),
    reachable: z.boolean().describe('Whether the endpoint answered.'),
    x402_challenge: z.boolean().describe('Whether it answered with a readable 402.'),
    quoted_price_usd: usd.nullable().describe('Price in that 402, USD; null without one.'),
    price_matches_listing: z
      .boolean()
      .nullable()
      .describe('Whether that price is the listed one; null if there was nothing to compare.'),
  })
  .describe('The last unpaid check of the endpoint.');

const serviceFacts = serviceListing.extend({
  price_asset: z.literal('USDC').describe('Token of the price.'),
  network: caip2.describe('Network of the price, CAIP-2.'),
  graded_receipts: count.describe('Of these calls, those that were graded.'),
  passed_receipts: count.describe('Of these calls, those that passed.'),
  receipts_considered: count.describe('Paid calls that the rates are computed over.'),
  quality_test: z
    .object({
      input: z.string().describe('What is asked, in words.'),
      pass_if: z.string().describe('When the answer passes, in words.'),
    })
    .nullable()
    .describe('The known-answer test of the service; null if there is none.'),
  last_check: lastCheck.nullable().describe('The last unpaid check of the endpoint; null if none.'),
  newest_receipt_at: moment.nullable().describe('Time of our newest paid call, UTC; null if none.'),
  stale: z.boolean().describe('The newest paid call is over 36 hours old, or there is none.'),
  listed_pay_to: z
    .string()
    .nullable()
    .describe('Payee in the listing; pay_to has the payees of our paid calls.'),
  pay_to: z.array(z.string()).describe('Different payees of our paid calls.'),
  receipts: z.array(paidReceipt).describe('Our last n paid calls, newest first.'),
});

export const resultItem = serviceFacts.extend({
  pass_rate: rate.describe('Passed calls over graded calls, 0 to 1; null if none was graded.'),
  pass_rate_low: rate.describe('Lower bound of the 95 % Wilson interval of pass_rate; null with it.'),
  delivered_rate: rate.describe('Share of the paid calls that delivered, 0 to 1; null without calls.'),
});
export const factsOnlyItem = serviceFacts.extend({
  facts_only_reason: z.string().describe('Why it is not ranked.'),
});

/** A lookup answer without the two members that may differ between tiers (gap G94). */
const lookupFindings = z.object({
  query: z
    .object({
      task: z.string().nullable().describe('Task name; null with endpoint.'),
      max_price_usd: z.string().nullable().describe('Highest price, decimal USD; null: any.'),
      n: z.int().describe('Maximum number of paid calls per service.'),
      limit: z.int().describe('Maximum number of services.'),
      endpoint: z.string().nullable().describe('Service id or endpoint URL; null with task.'),
    })
    .describe('The request as understood.'),
  matched: count.describe('Services that matched, before limit.'),
  total: count.describe('The same number, under the name that /v1/services has for it.'),
  results: z.array(resultItem).describe('Services, best first; see sorting.'),
  facts_only: z
    .array(factsOnlyItem)
    .describe("Services that are broken on the seller's side: not ranked, in no order."),
  suggestions: z.array(z.string()).optional().describe('Nearest task names; only if nothing matched.'),
  sorting: z.string().describe('How results is sorted, in words.'),
  links: z
    .object({
      tasks: z.string().describe('Task names.'),
      receipts: z.string().describe('Receipts.'),
      skips: z.string().describe('Endpoints to skip.'),
      openapi: z.string().describe('This document.'),
      receipts_by_url: z
        .string()
        .optional()
        .describe('Receipts of the requested endpoint; only if it is not in the catalog and has some.'),
    })
    .describe('URLs of related routes.'),
});

export const lookupResponse = lookupFindings.extend({
  generated_at: moment.describe('Time of the response, UTC.'),
  access: lookupAccess,
});

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
