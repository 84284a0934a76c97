import * as z from 'zod';
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
  thenOf,
  unchargedAccess,
} from './access.ts';
import { diagnosticsJson, diagnosticsMember } from './diagnostics-json.ts';
import type { Links } from './links.ts';
import { promiseMembers } from './proofs/promise-members.ts';
import {
  caip2,
  checkType,
  closedList,
  inputJson,
  inputMembers,
  moment,
  termsSha256,
  usd,
  usdOrNull,
  verdict,
} from './shapes.ts';

const receiptMembers = {
  receipt_id: z
    .string()
    .regex(/^sc-[0-9a-f]{16}$/)
    .nullable()
    .describe('Id of the public receipt.'),
  receipt_url: z.string().nullable().describe('URL of the public receipt.'),
};

/** The free tier and dry runs: exactly these members. */
export const freeShape = z.strictObject({
  verdict,
  reason: z.string().describe('Why, in plain words.'),
  payment_terms_sha256: termsSha256,
  ...receiptMembers,
  access: freeAccess.describe('The free calls of the caller; in a dry run those for dry runs.'),
});

export const reasonCode = closedList('Why, as a code.', {
  price_ok: 'pay; the live 402 matches the expected price, payee and network',
  price_mismatch: 'skip; the price in the 402 is not the expected one',
  network_mismatch: 'skip; the 402 is on another network than expected',
  pay_to_mismatch: 'skip; the 402 pays another wallet than expected',
  asset_not_usdc: "skip; the token is not the network's canonical USDC",
  network_unsupported: 'skip; a test network, or one that is not supported',
  no_paywall: 'skip; the endpoint gave no payment terms',
  free_trial_active: 'recheck; the endpoint sent x-free-trial headers',
  timeout: 'recheck; no answer in time',
  server_error: 'recheck; the endpoint answered 5xx',
  unreachable: 'recheck; network error',
  ssrf_blocked: 'skip; the URL is blocked, nothing was fetched',
  bad_challenge: 'skip; the payment terms cannot be read or used',
  terms_differ: 'skip; the seller shows different terms to different visitors',
  unconfirmed: 'recheck; too few other points of view saw the same',
} satisfies Record<keyof typeof VERDICT_OF_REASON, string>);

export const EXPECTED_SOURCES = {
  request: 'claimed_price, pay_to or network of the request',
  listing: 'a public listing of the endpoint',
} as const;

export const probeStamp = z
  .object({
    probed_at: moment.describe('When the endpoint was probed, UTC.'),
    cached: z.boolean().describe('Whether a probe of the same URL and method was reused.'),
    cache_ttl_s: z.int().describe('Maximum number of seconds that a probe is reused for.'),
  })
  .describe('The unpaid request behind the verdict.');

/** The paid and the exempt tier. */
export const paidShape = z.object({
  verdict,
  reason: reasonCode,
  free_trial_remaining: z
    .int()
    .nullable()
    .optional()
    .describe('Free calls that the seller announces; null if unreadable. Only with free_trial_active.'),
  quoted_price_usd: usd.nullable().describe('Price in the live 402, USD; null without one.'),
  claimed_price_usd: usd.nullable().describe('The claimed_price that was sent; null if none.'),
  pay_to: z.string().nullable().describe('Payee in the live 402; null without one.'),
  network: caip2.nullable().describe('Network in the live 402, CAIP-2; null without one.'),
  asset: z.string().nullable().describe('Token contract in the live 402; null without one.'),
  expected_pay_to: z
    .string()
    .nullable()
    .describe('The pay_to that was sent, else the one of the listing; null if neither.'),
  expected_network: caip2
    .nullable()
    .describe('The network that was sent, else the one of the listing; null if neither.'),
  expected_source: closedList(
    'Where the expectation came from; null: nothing to compare with.',
    EXPECTED_SOURCES,
  ).nullable(),
  payment: paymentObject.nullable().describe('Sign this and nothing else; null unless pay.'),
  payment_terms_sha256: termsSha256,
  ...inputMembers,
  ...diagnosticsMember,
  probe: probeStamp,
  check_type: checkType,
  ...receiptMembers,
  ...promiseMembers,
  access: z.union([paidAccess, unchargedAccess, exemptAccess]).describe('How the check was paid for.'),
});

export function freeShapeJson(
  { receipt }: Decision,
  { quota, sells }: { readonly quota: FreeQuota; readonly sells: boolean },
  links: Links,
): z.infer<typeof freeShape> {
  return {
    verdict: receipt.verdict,
    reason: shownReason(receipt),
    payment_terms_sha256: receipt.paymentTermsSha256,
    ...receiptLinks(receipt, links),
    access: freeAccessJson(quota, thenOf(receipt.mode === 'dry-run' ? THEN_DRY_RUN : THEN_SPOT_CHECK, sells)),
  };
}

/** The paid shape without what is known only when it is final: the promise and `access`. */
export function paidFindingsJson(
  { look, receipt }: Pick<Decision, 'look' | 'receipt'>,
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
