import { z } from 'zod';
import type { FreeQuota } from '../../core/access/admission.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { LiveReceipt } from '../../core/receipt/live-receipt.ts';
import { shownReason } from '../../core/receipt/uncompared.ts';
import type { VERDICT_OF_REASON } from '../../core/verdict/verdict.ts';
import { quotedPrice } from '../../core/x402/terms.ts';
import type { Decision } from '../../flows/check/issue-receipt.ts';
import { paymentJson, paymentObject } from '../payment/payment-object.ts';
import {
  exemptAccess,
  freeAccess,
  freeAccessJson,
  paidAccess,
  THEN_DRY_RUN,
  THEN_SPOT_CHECK,
  unchargedAccess,
} from './access.ts';
import { diagnosticsJson, diagnosticsMember } from './diagnostics-json.ts';
import type { Links } from './links.ts';
import { promiseMembers } from './proofs/promise-members.ts';
import {
  caip2,
  checkType,
  inputJson,
  inputMembers,
  moment,
  sha256,
  usd,
  usdOrNull,
  verdict,
} from './shapes.ts';

const receiptId = z.string().regex(/^sc-[0-9a-f]{16}$/);

/** The free tier and dry runs: exactly these members. */
export const freeShape = z.strictObject({
  verdict,
  reason: z.string().describe('Plain words'),
  payment_terms_sha256: sha256.nullable(),
  receipt_id: receiptId.nullable(),
  receipt_url: z.string().nullable(),
  access: freeAccess,
});

export const reasonCode = z.enum([
  'price_ok',
  'price_mismatch',
  'network_mismatch',
  'pay_to_mismatch',
  'asset_not_usdc',
  'network_unsupported',
  'no_paywall',
  'free_trial_active',
  'timeout',
  'server_error',
  'unreachable',
  'ssrf_blocked',
  'bad_challenge',
] as const satisfies readonly (keyof typeof VERDICT_OF_REASON)[]);

export const probeStamp = z.object({ probed_at: moment, cached: z.boolean(), cache_ttl_s: z.int() });

/** The paid and the exempt tier. */
export const paidShape = z.object({
  verdict,
  reason: reasonCode,
  free_trial_remaining: z.int().nullable().optional().describe('Only with free_trial_active'),
  quoted_price_usd: usd.nullable(),
  claimed_price_usd: usd.nullable(),
  pay_to: z.string().nullable(),
  network: caip2.nullable(),
  asset: z.string().nullable(),
  expected_pay_to: z.string().nullable(),
  expected_network: caip2.nullable(),
  expected_source: z.enum(['request', 'listing']).nullable(),
  payment: paymentObject.nullable().describe('Sign this and nothing else; null unless pay'),
  payment_terms_sha256: sha256.nullable(),
  ...inputMembers,
  ...diagnosticsMember,
  probe: probeStamp,
  check_type: checkType,
  receipt_id: receiptId.nullable(),
  receipt_url: z.string().nullable(),
  ...promiseMembers,
  access: z.union([paidAccess, unchargedAccess, exemptAccess]),
});

export function freeShapeJson(
  { receipt }: Decision,
  quota: FreeQuota,
  links: Links,
): z.infer<typeof freeShape> {
  return {
    verdict: receipt.verdict,
    reason: shownReason(receipt),
    payment_terms_sha256: receipt.paymentTermsSha256,
    ...receiptLinks(receipt, links),
    access: freeAccessJson(quota, receipt.mode === 'dry-run' ? THEN_DRY_RUN : THEN_SPOT_CHECK),
  };
}

/** The paid shape without what is known only when it is final: the promise and `access`. */
export function paidFindingsJson(
  { look, receipt }: Decision,
  claimedPrice: MicroUsd | null,
  links: Links,
): Omit<z.infer<typeof paidShape>, 'access' | keyof typeof promiseMembers> {
  const { offer, expected, verdict: judged } = look;
  return {
    verdict: judged.verdict,
    reason: judged.reason,
    ...(judged.reason === 'free_trial_active' ? { free_trial_remaining: judged.remaining } : {}),
    quoted_price_usd: usdOrNull(offer === null ? null : quotedPrice(offer)),
    claimed_price_usd: usdOrNull(claimedPrice),
    pay_to: offer?.payTo ?? null,
    network: offer?.network ?? null,
    asset: offer?.asset ?? null,
    expected_pay_to: expected.payTo,
    expected_network: expected.network,
    expected_source: expected.source,
    payment: receipt.approvedPayment === null ? null : paymentJson(receipt.approvedPayment),
    payment_terms_sha256: receipt.paymentTermsSha256,
    ...inputJson(receipt),
    ...diagnosticsJson(receipt.diagnostics),
    probe: probeJson(receipt),
    check_type: receipt.checkType,
    ...receiptLinks(receipt, links),
  };
}

export function probeJson({ probe }: LiveReceipt): z.infer<typeof probeStamp> {
  const { probedAt, cached, cacheTtlSeconds } = probe;
  return { probed_at: probedAt.toISOString(), cached, cache_ttl_s: cacheTtlSeconds };
}

/** Extra problem members of a blocked URL (gap G32). */
export function blockedJson(claimedPrice: MicroUsd | null) {
  return {
    verdict: 'skip',
    reason: 'ssrf_blocked',
    payment_terms_sha256: null,
    receipt_id: null,
    receipt_url: null,
    quoted_price_usd: null,
    claimed_price_usd: usdOrNull(claimedPrice),
  } as const;
}

function receiptLinks({ id }: LiveReceipt, links: Links) {
  return { receipt_id: id, receipt_url: links.receipt(id) };
}
