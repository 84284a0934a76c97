import * as z from 'zod';
import { usdNumber } from '../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { othersOfCrawl } from '../../core/receipt/seen-by-others.ts';
import type { ShownPlace } from '../../flows/read/shown-place.ts';
import type { SellerNote } from '../../flows/seller/seller-notes.ts';
import type { Retest } from '../../ports/seller.ts';
import { diagnosticsJson, diagnosticsMember } from './diagnostics-json.ts';
import { type Links, skipRowUrl, spotCheckHint } from './links.ts';
import {
  caip2,
  moment,
  needsInput,
  needsInputJson,
  probeMethod,
  usd,
  usdOrNull,
  usedInput,
  verdict,
} from './shapes.ts';
import { vantagesJson, vantagesMember } from './vantages-json.ts';

/** A receipt of the weekly crawl. Members that have no value are left out. */
export const crawlReceiptShape = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{10}$/)
    .describe('Receipt id.'),
  url: z.string().describe('Listed endpoint URL.'),
  claimed_price_usd: usd.optional().describe('Price in the listing, USD.'),
  quoted_price_usd: usd.optional().describe('Price in the live 402, USD; only if a challenge was read.'),
  pay_to: z.string().optional().describe('Payee in the live 402; only if a challenge was read.'),
  verdict,
  reason: z.string().describe('Why, in words such as "price mismatch: listed $0.01, 402 asks $0.05".'),
  timestamp: moment.describe('Time of the check, UTC.'),
  source_list: z.string().describe('Discovery list that the URL came from.'),
  check_type: z.literal('self-checked').describe('Always self-checked: the caller is the crawl.'),
  method: probeMethod,
  http_status: z.int().optional().describe('HTTP status of the probe; absent if nothing answered.'),
  network: caip2.optional().describe('Network in the live 402, CAIP-2; only if a challenge was read.'),
  listed_network: caip2.optional().describe('Network in the listing, CAIP-2.'),
  listed_pay_to: z.string().optional().describe('Payee in the listing.'),
  input: usedInput.optional(),
  needs_input: needsInput.optional(),
  other_method: probeMethod.optional().describe('The method that the endpoint seems to require instead.'),
  permalink: z.string().describe('URL of this receipt.'),
});

/** With what is left out of lists, where a page has 500 of them. */
export const fullCrawlReceipt = crawlReceiptShape.extend({ ...diagnosticsMember, ...vantagesMember });

/** A re-test that the owner of the endpoint had us make (gap L111). */
const checkedAgain = z.object({
  verdict,
  reason: z.string().describe('Why, in plain words.'),
  needs_input: z.literal(true).optional().describe('Only if it requires input first.'),
  receipt: z.string().describe('URL of the receipt of that check.'),
  at: moment.describe('Time of that check, UTC.'),
});

/** A row of the skips. */
export const skipRowShape = crawlReceiptShape.extend({
  checked_again: checkedAgain.optional().describe('A later check that the owner asked for.'),
  corrected: verdict.optional().describe('The right verdict, if it was wrong.'),
});

/** Additional members of a single-receipt read. */
export const singleCrawlReceipt = fullCrawlReceipt.extend({
  service: z.string().describe('Name of this service.'),
  on_page: z
    .string()
    .describe(
      'Its row on the page of skips; that page if it is no skip; the receipt itself if it is of an older run.',
    ),
  spot_check: z.string().describe('How to check the endpoint now, in words.'),
});

export const historyEntry = z.object({
  id: z.string().describe('Receipt id.'),
  verdict,
  quoted_price_usd: usd.nullable().describe('Price in the live 402 then, USD; null without a challenge.'),
  pay_to: z.string().nullable().describe('Payee in the live 402 then; null without a challenge.'),
  timestamp: moment.describe('Time of the check, UTC.'),
});

export function crawlReceiptJson(receipt: CrawlReceipt, links: Links): z.infer<typeof crawlReceiptShape> {
  const { claimedPrice, quotedPrice } = receipt;
  return {
    id: receipt.id,
    url: receipt.url,
    ...whenKnown('claimed_price_usd', claimedPrice === null ? null : usdNumber(claimedPrice)),
    ...whenKnown('quoted_price_usd', quotedPrice === null ? null : usdNumber(quotedPrice)),
    ...whenKnown('pay_to', receipt.payTo),
    verdict: receipt.verdict,
    reason: receipt.reason,
    timestamp: receipt.checkedAt.toISOString(),
    source_list: receipt.sourceList,
    check_type: 'self-checked',
    method: receipt.method,
    ...whenKnown('http_status', receipt.httpStatus),
    ...whenKnown('network', receipt.network),
    ...whenKnown('listed_network', receipt.listedNetwork),
    ...whenKnown('listed_pay_to', receipt.listedPayTo),
    ...whenKnown('input', receipt.input ?? null),
    ...whenKnown('needs_input', receipt.needsInput === undefined ? null : needsInputJson(receipt.needsInput)),
    ...whenKnown('other_method', receipt.otherMethod ?? null),
    permalink: links.receipt(receipt.id),
  };
}

export function fullCrawlReceiptJson(receipt: CrawlReceipt, links: Links): z.infer<typeof fullCrawlReceipt> {
  return {
    ...crawlReceiptJson(receipt, links),
    ...diagnosticsJson(receipt.diagnostics ?? []),
    ...vantagesJson(othersOfCrawl(receipt)),
  };
}

export function skipRowJson(
  receipt: CrawlReceipt,
  links: Links,
  note: SellerNote | undefined,
): z.infer<typeof skipRowShape> {
  const row = crawlReceiptJson(receipt, links);
  const again = note?.checkedAgain ?? null;
  return {
    ...row,
    ...(again === null ? {} : { checked_again: checkedAgainJson(again, links) }),
    ...whenKnown('corrected', note?.corrected ?? null),
  };
}

function checkedAgainJson(again: Retest, links: Links): z.infer<typeof checkedAgain> {
  return {
    verdict: again.verdict,
    reason: again.reason,
    ...(again.needsInput ? { needs_input: true } : {}),
    receipt: links.receipt(again.receiptId),
    at: again.checkedAt.toISOString(),
  };
}

export function singleCrawlReceiptJson(
  receipt: CrawlReceipt,
  links: Links,
  place: ShownPlace,
): z.infer<typeof singleCrawlReceipt> {
  return {
    ...fullCrawlReceiptJson(receipt, links),
    service: SERVICE_NAME,
    on_page: onPage(receipt.id, links, place),
    spot_check: spotCheckHint(links),
  };
}

const SERVICE_NAME = 'Assay';

/** Only a skip of the latest run has a row; a receipt of an older run has only its own address (gap G104). */
function onPage(id: string, links: Links, place: ShownPlace): string {
  if (typeof place === 'number') return skipRowUrl(links, id, place);
  return place === 'no row' ? links.skips : links.receipt(id);
}

export function historyJson(receipt: CrawlReceipt): z.infer<typeof historyEntry> {
  return {
    id: receipt.id,
    verdict: receipt.verdict,
    quoted_price_usd: usdOrNull(receipt.quotedPrice),
    pay_to: receipt.payTo,
    timestamp: receipt.checkedAt.toISOString(),
  };
}

function whenKnown<Name extends string, Value>(name: Name, value: Value | null): { [key in Name]?: Value } {
  if (value === null) return {};
  const known: { [key in Name]?: Value } = {};
  known[name] = value;
  return known;
}
