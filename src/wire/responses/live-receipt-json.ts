import { z } from 'zod';
import type { ListedReceipt, LiveReceipt } from '../../core/receipt/live-receipt.ts';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import type { Offer } from '../../core/x402/offer.ts';
import { quotedPrice } from '../../core/x402/terms.ts';
import { paymentJson, paymentObject } from '../payment/payment-object.ts';
import { diagnosticsJson, diagnosticsMember } from './diagnostics-json.ts';
import type { Links } from './links.ts';
import {
  caip2,
  checkType,
  inputJson,
  inputMembers,
  moment,
  probeMethod,
  sha256,
  usd,
  usdOrNull,
  verdict,
} from './shapes.ts';
import { probeJson, probeStamp, reasonCode } from './spot-check-response.ts';

const claimMembers = {
  claimed_price_usd: usd.nullable(),
  pay_to: z.string().nullable(),
  network: caip2.nullable(),
};

const listing = z.object({ ...claimMembers, source_list: z.string() }).nullable();

const liveDemand = z.object({
  http_status: z.int().nullable(),
  x402_challenge: z.boolean(),
  error: z.enum(['headers_too_large', 'timed_out', 'unreachable', 'blocked']).nullable(),
  free_trial: z.object({ remaining: z.int().nullable() }).nullable(),
});

const acceptsEntry = z.object({
  scheme: z.string(),
  network: caip2.nullable(),
  asset: z.string(),
  amount_atomic: z.string(),
  amount_usd: usd.nullable(),
  pay_to: z.string(),
  max_timeout_seconds: z.int().nullable(),
});

/** A stored decision of the spot-check (gap G50). */
export const liveReceiptShape = z.object({
  id: z.string().regex(/^sc-[0-9a-f]{16}$/),
  url: z.string(),
  method: probeMethod,
  checked_at: moment,
  check_type: checkType,
  mode: z.enum(['live', 'dry-run']),
  ref: z.string().nullable(),
  task: z.string().nullable(),
  listing,
  live_demand: liveDemand,
  live_402: z
    .object({
      x402_version: z.literal([1, 2]).nullable(),
      source: z.enum(['header', 'body']),
      accepts: z.array(acceptsEntry),
    })
    .nullable(),
  expected: z.object({ ...claimMembers, source: z.enum(['request', 'listing']).nullable() }),
  approved_payment: paymentObject.nullable().describe('Null unless a live check ended in pay'),
  verdict,
  reason: reasonCode,
  reason_text: z.string(),
  ...inputMembers,
  payment_terms_sha256: sha256.nullable(),
  probe: probeStamp,
  evidence: z
    .object({ payment_required_sha256: sha256.nullable(), body_sha256: sha256.nullable() })
    .describe('Hashes of the raw bytes received'),
  ...diagnosticsMember,
  rules_version: z.string(),
  permalink: z.string(),
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
  type: z.enum(['live', 'dry-run']),
  ref: z.string().nullable(),
  limit: z.int(),
  count: z.int(),
  receipts: z.array(listedReceipt),
  next_cursor: z.string().nullable(),
  next: z.string().nullable().describe('URL of the next page'),
});

export function liveReceiptJson(receipt: LiveReceipt, links: Links): z.infer<typeof liveReceiptShape> {
  const { live402, expected, approvedPayment, evidence } = receipt;
  return {
    ...listedReceiptJson(receipt, links),
    method: receipt.method,
    mode: receipt.mode,
    task: receipt.task,
    live_402:
      live402 === null
        ? null
        : {
            x402_version: live402.x402Version,
            source: live402.source,
            accepts: live402.accepts.map(acceptsJson),
          },
    expected: { ...claimJson(expected), source: expected.source },
    approved_payment: approvedPayment === null ? null : paymentJson(approvedPayment),
    reason_text: receipt.reasonText,
    ...inputJson(receipt),
    payment_terms_sha256: receipt.paymentTermsSha256,
    probe: probeJson(receipt),
    evidence: { payment_required_sha256: evidence.paymentRequiredSha256, body_sha256: evidence.bodySha256 },
    ...diagnosticsJson(receipt.diagnostics),
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
