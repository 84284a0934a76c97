import * as z from 'zod';
import type { ListedReceipt, LiveReceipt } from '../../core/receipt/live-receipt.ts';
import { othersOfLive } from '../../core/receipt/seen-by-others.ts';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import type { Offer } from '../../core/x402/offer.ts';
import { quotedPrice } from '../../core/x402/terms.ts';
import { paymentJson, paymentObject } from '../payment/payment-object.ts';
import { diagnosticsJson, diagnosticsMember } from './diagnostics-json.ts';
import type { Links } from './links.ts';
import {
  caip2,
  checkType,
  closedList,
  inputJson,
  inputMembers,
  moment,
  probeMethod,
  sha256,
  termsSha256,
  usd,
  usdOrNull,
  verdict,
} from './shapes.ts';
import { EXPECTED_SOURCES, probeJson, probeStamp, reasonCode } from './spot-check-response.ts';
import { vantagesJson, vantagesMember } from './vantages-json.ts';

const claimMembers = (whose: string) => ({
  claimed_price_usd: usd.nullable().describe(`Price ${whose}, USD; null if none.`),
  pay_to: z.string().nullable().describe(`Payee ${whose}; null if none.`),
  network: caip2.nullable().describe(`Network ${whose}, CAIP-2; null if none.`),
});

export const listing = z
  .object({
    ...claimMembers('in the listing'),
    source_list: z.string().describe('The list; catalog is our own catalog.'),
  })
  .describe('What a public list claims about the endpoint.');

export const liveDemand = z
  .object({
    http_status: z.int().nullable().describe('HTTP status of the answer; null without one.'),
    x402_challenge: z
      .boolean()
      .describe('Whether the answer was a 402 with x402 terms, also with terms that cannot be read.'),
    error: closedList('Why there was no answer; null if there was one.', {
      headers_too_large: 'its header fields were too large to read',
      timed_out: 'none within the time limit',
      unreachable: 'DNS, connection or TLS failed',
      blocked: 'the address must not be fetched',
    }).nullable(),
    free_trial: z
      .object({ remaining: z.int().nullable().describe('Free calls left; null if not given.') })
      .nullable()
      .describe('The free trial that the answer announces; null if none.'),
  })
  .describe('How the endpoint answered the unpaid request.');

const acceptsEntry = z.object({
  scheme: z.string().describe('Payment scheme, such as exact.'),
  network: caip2.nullable().describe('Network, CAIP-2; null if its name is unknown.'),
  asset: z.string().describe('Token contract.'),
  amount_atomic: z.string().describe('Amount in the smallest units of the token.'),
  amount_usd: usd.nullable().describe('The amount in USD; null unless the token is USDC.'),
  pay_to: z.string().describe('Payee.'),
  max_timeout_seconds: z.int().nullable().describe('How long a payment may stay valid; null if not given.'),
});

export const live402 = z
  .object({
    x402_version: z
      .literal([1, 2])
      .nullable()
      .describe('Version of x402. 1: the older one; 2: the current one; null: not given.'),
    source: closedList('Where the terms were.', {
      header: 'the header PAYMENT-REQUIRED',
      body: 'the response body',
    }),
    accepts: z.array(acceptsEntry).describe('The payments that the endpoint accepts.'),
  })
  .describe('The payment terms in the live 402.');

export const expectedShape = z
  .object({
    ...claimMembers('that was expected'),
    source: closedList(
      'Where the expectation came from; null: nothing to compare with.',
      EXPECTED_SOURCES,
    ).nullable(),
  })
  .describe('What the live terms were compared with.');

const mode = closedList('Mode of the check.', {
  live: 'a pay is an approval',
  'dry-run': 'the same unpaid request, never an approval',
});

/** A stored decision of the spot-check (gap G50). */
export const liveReceiptShape = z.object({
  id: z
    .string()
    .regex(/^sc-[0-9a-f]{16}$/)
    .describe('Receipt id.'),
  url: z.string().describe('The URL that was checked; secrets in it are REDACTED.'),
  method: probeMethod,
  checked_at: moment.describe('Time of the check, UTC.'),
  check_type: checkType,
  mode,
  ref: z.string().nullable().describe('Tag that the caller sent; null if none.'),
  task: z.string().nullable().describe('Task that the caller sent; null if none.'),
  listing: listing.nullable().describe('What a public list claims about the endpoint; null if unlisted.'),
  live_demand: liveDemand,
  live_402: live402.nullable().describe('The payment terms in the live 402; null if none were read.'),
  expected: expectedShape,
  approved_payment: paymentObject
    .nullable()
    .describe('Sign this and nothing else; null unless a live check ended in pay.'),
  verdict,
  reason: reasonCode,
  reason_text: z.string().describe('The reason in plain words.'),
  ...inputMembers,
  payment_terms_sha256: termsSha256,
  probe: probeStamp,
  evidence: z
    .object({
      payment_required_sha256: sha256
        .nullable()
        .describe('Of the header PAYMENT-REQUIRED; null without one.'),
      body_sha256: sha256.nullable().describe('Of the body; null without one.'),
    })
    .describe('SHA-256 of the raw bytes that were received.'),
  ...diagnosticsMember,
  ...vantagesMember,
  rules_version: z.string().describe('Version of the rules that judged: /log/rules/{version}.mjs.'),
  permalink: z.string().describe('URL of this receipt.'),
});

/** An entry of the listing (gap G51). */
export const listedReceipt = liveReceiptShape.pick({
  id: true,
  url: true,
  listing: true,
  live_demand: true,
  verdict: true,
  reason: true,
  checked_at: true,
  check_type: true,
  ref: true,
  permalink: true,
});

export const receiptListing = z.object({
  type: mode,
  ref: z.string().nullable().describe('Only receipts with this tag are listed; null: all.'),
  limit: z.int().describe('Maximum number of receipts on a page.'),
  count: z.int().describe('Receipts on this page.'),
  receipts: z.array(listedReceipt).describe('Stored checks, newest first.'),
  next_cursor: z.string().nullable().describe('The cursor of the next page; null on the last.'),
  next: z.string().nullable().describe('URL of the next page; null on the last.'),
});

export function liveReceiptJson(receipt: LiveReceipt, links: Links): z.infer<typeof liveReceiptShape> {
  const { live402: terms, expected, approvedPayment, evidence } = receipt;
  return {
    ...listedReceiptJson(receipt, links),
    method: receipt.method,
    mode: receipt.mode,
    task: receipt.task,
    live_402:
      terms === null
        ? null
        : {
            x402_version: terms.x402Version,
            source: terms.source,
            accepts: terms.accepts.map(acceptsJson),
          },
    expected: { ...claimJson(expected), source: expected.source },
    approved_payment: approvedPayment === null ? null : paymentJson(approvedPayment),
    reason_text: receipt.reasonText,
    ...inputJson(receipt),
    payment_terms_sha256: receipt.paymentTermsSha256,
    probe: probeJson(receipt),
    evidence: { payment_required_sha256: evidence.paymentRequiredSha256, body_sha256: evidence.bodySha256 },
    ...diagnosticsJson(receipt.diagnostics),
    ...vantagesJson(othersOfLive(receipt)),
    rules_version: receipt.rulesVersion,
  };
}

export function listedReceiptJson(receipt: ListedReceipt, links: Links): z.infer<typeof listedReceipt> {
  const { listing: listed, liveDemand: demand } = receipt;
  return {
    id: receipt.id,
    url: receipt.url,
    listing: listed === null ? null : { ...claimJson(listed), source_list: listed.sourceList },
    live_demand: {
      http_status: demand.httpStatus,
      x402_challenge: demand.x402Challenge,
      error: demand.error,
      free_trial: demand.freeTrial,
    },
    verdict: receipt.verdict,
    reason: receipt.reason,
    checked_at: receipt.checkedAt.toISOString(),
    check_type: receipt.checkType,
    ref: receipt.ref,
    permalink: links.receipt(receipt.id),
  };
}

function claimJson({ price, payTo, network }: Claim) {
  return { claimed_price_usd: usdOrNull(price), pay_to: payTo, network };
}

function acceptsJson(offer: Offer): z.infer<typeof acceptsEntry> {
  return {
    scheme: offer.scheme,
    network: offer.network,
    asset: offer.asset,
    amount_atomic: offer.amountAtomic.toString(),
    amount_usd: usdOrNull(quotedPrice(offer)),
    pay_to: offer.payTo,
    max_timeout_seconds: offer.maxTimeoutSeconds,
  };
}
