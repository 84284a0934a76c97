import * as z from 'zod';
import type { ServiceFacts } from '../../../core/catalog/rank-services.ts';
import { PART_PAGE } from '../../../core/limits.ts';
import { formatUsd } from '../../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import type { RunCount } from '../../../flows/read/hosts/count-runs.ts';
import type { Links } from '../links.ts';
import { caip2, moment, probeMethod, usd, usdOrNull, verdict } from '../shapes.ts';

const count = z.int().nonnegative();

/** One endpoint in the latest crawl. */
export const crawledEndpoint = z.object({
  url: z.string().describe('Listed endpoint URL.'),
  method: probeMethod,
  verdict,
  code: z.string().describe('Reason code, such as price_ok or price_mismatch.'),
  reason: z.string().describe('Why, in words.'),
  claimed_price_usd: usd.nullable().describe('Price in the listing, USD; null if it names none.'),
  quoted_price_usd: usd.nullable().describe('Price in the live 402, USD; null without a challenge.'),
  listed_pay_to: z.string().nullable().describe('Payee in the listing; null if it names none.'),
  pay_to: z.string().nullable().describe('Payee in the live 402; null without a challenge.'),
  network: caip2.nullable().describe('Network in the live 402, CAIP-2; null without a challenge.'),
  timestamp: moment.describe('Time of the check, UTC.'),
  receipt: z.string().describe('URL of the receipt.'),
});

/** What one crawl has of a host or a payee. */
export const runCount = z.object({
  crawled_at: moment.describe('Time of the crawl, UTC.'),
  endpoints: count.describe('Endpoints that were counted.'),
  pay: count.describe('Those with verdict pay.'),
  skip: count.describe('Those with verdict skip.'),
  recheck: count.describe('Those with verdict recheck.'),
  needs_input: count.describe(
    'Skips of endpoints that require input before they ask for payment; set aside.',
  ),
  complete: z
    .boolean()
    .describe(`False if there may be more: no more than ${PART_PAGE.counted} endpoints are counted.`),
});

/** A service of the catalog, with what our own paid calls found out. */
export const partService = z.object({
  id: z.string().describe('Id of the service.'),
  name: z.string().describe('Display name.'),
  price_usd: z.string().describe('Listed price per call, a decimal string.'),
  graded_receipts: count.describe('Our newest paid calls that were graded.'),
  passed_receipts: count.describe('Those that passed.'),
  service: z.string().describe('URL of the service.'),
});

export function crawledEndpointJson(receipt: CrawlReceipt, links: Links): z.infer<typeof crawledEndpoint> {
  return {
    url: receipt.url,
    method: receipt.method,
    verdict: receipt.verdict,
    code: receipt.code,
    reason: receipt.reason,
    claimed_price_usd: usdOrNull(receipt.claimedPrice),
    quoted_price_usd: usdOrNull(receipt.quotedPrice),
    listed_pay_to: receipt.listedPayTo,
    pay_to: receipt.payTo,
    network: receipt.network,
    timestamp: receipt.checkedAt.toISOString(),
    receipt: links.receipt(receipt.id),
  };
}

export function runCountJson(one: RunCount): z.infer<typeof runCount> {
  return {
    crawled_at: one.crawledAt.toISOString(),
    endpoints: one.endpoints,
    pay: one.pay,
    skip: one.skip,
    recheck: one.recheck,
    needs_input: one.needsInput,
    complete: one.isComplete,
  };
}

export function partServiceJson(facts: ServiceFacts, { base }: Links): z.infer<typeof partService> {
  const { service, gradedCalls, passedCalls } = facts;
  return {
    id: service.id,
    name: service.name,
    price_usd: formatUsd(service.price),
    graded_receipts: gradedCalls,
    passed_receipts: passedCalls,
    service: `${base}/v1/services/${service.id}`,
  };
}

/** Endpoints of the run that are not listed; as far as they are counted. */
export function notListed(counted: RunCount | null): number {
  return Math.max(0, (counted?.endpoints ?? 0) - PART_PAGE.endpoints);
}

export const notListedShape = count.describe(
  `Endpoints of the latest crawl beyond the first ${PART_PAGE.endpoints}, which are not listed here.`,
);
