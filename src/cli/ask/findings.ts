import * as z from 'zod';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import { type Approved, instant, payment, probe, source, text, usd, verdict } from './answer-kinds.ts';
import { type ToldFix, toldFixes } from './told-fixes.ts';

/** One side of the comparison: the expected or the live terms. */
export interface Side extends Omit<Claim, 'network'> {
  readonly network: string | null;
}

/** Everything that is shown of one decision. Texts are untrusted. */
export interface Findings {
  readonly verdict: 'pay' | 'skip' | 'recheck';
  /** The stable code, where there is one. */
  readonly code: string | null;
  readonly reason: string;
  readonly method: string | null;
  readonly url: string | null;
  readonly expected: Side;
  /** The source of the expected terms. */
  readonly expectedFrom: 'request' | 'listing' | null;
  /** Whether anything was compared; null when the answer does not tell. */
  readonly compared: boolean | null;
  readonly offers: readonly Side[];
  readonly approved: Approved | null;
  /** What the seller has to change. */
  readonly fixes: readonly ToldFix[];
  readonly termsSha256: string | null;
  readonly lookedAt: Date | null;
  readonly reused: boolean;
  readonly receiptId: string | null;
  readonly receiptUrl: string | null;
  readonly mode: 'live' | 'dry-run' | 'crawl';
  readonly left: { readonly remaining: number; readonly perDay: number } | null;
}

/** The free and the paid shape of the spot-check, and the 400 of a blocked URL. */
const checkShape = z.object({
  verdict,
  reason: z.string(),
  reason_text: text,
  detail: text,
  method: text,
  url: text,
  quoted_price_usd: usd,
  claimed_price_usd: usd,
  pay_to: text,
  network: text,
  expected_pay_to: text,
  expected_network: text,
  // Absent from the free shape, which does not tell.
  expected_source: z.enum(['request', 'listing']).nullish().catch(null),
  payment,
  diagnostics: toldFixes,
  payment_terms_sha256: text,
  probe,
  receipt_id: text,
  receipt_url: text,
  access: z
    .object({ free_remaining_today: z.int(), free_per_day: z.int() })
    .transform(({ free_remaining_today: remaining, free_per_day: perDay }) => ({ remaining, perDay }))
    .nullable()
    .catch(null),
});

export function readCheck(json: unknown): Findings | null {
  const { success, data } = checkShape.safeParse(json);
  if (!success) return null;
  const live = { price: data.quoted_price_usd, payTo: data.pay_to, network: data.network };
  const { expected_source: expectedFrom } = data;
  const expected = {
    price: data.claimed_price_usd,
    payTo: data.expected_pay_to,
    network: data.expected_network,
  };
  return {
    verdict: data.verdict,
    code: codeIn(data.reason),
    // For a blocked URL the reason is in the problem.
    reason: data.reason_text ?? data.detail ?? data.reason,
    method: data.method,
    url: data.url,
    expected,
    expectedFrom: expectedFrom ?? null,
    // A listed price is only in the receipt.
    compared: isCompared(expected) || (expectedFrom === null ? false : null),
    offers: live.payTo === null && live.price === null ? [] : [live],
    approved: data.payment,
    fixes: data.diagnostics,
    termsSha256: data.payment_terms_sha256,
    lookedAt: data.probe.probed_at,
    reused: data.probe.cached,
    receiptId: data.receipt_id,
    receiptUrl: data.receipt_url,
    mode: 'live',
    left: data.access,
  };
}

/** The free shape has a sentence, all others have a code. */
function codeIn(reason: string): string | null {
  return /^[a-z0-9_]{1,40}$/.test(reason) ? reason : null;
}

const claim = z
  .object({ claimed_price_usd: usd, pay_to: text, network: text, source })
  .catch({ claimed_price_usd: null, pay_to: null, network: null, source: null });
const offer = z
  .object({ amount_usd: usd, pay_to: text, network: text })
  .transform(({ amount_usd: price, pay_to: payTo, network }): Side => ({ price, payTo, network }));

const liveReceiptShape = z.object({
  id: z.string().regex(/^sc-/),
  verdict,
  reason: z.string(),
  reason_text: text,
  method: text,
  url: text,
  mode: text,
  expected: claim,
  live_402: z
    .object({ accepts: z.array(offer).max(64) })
    .nullable()
    .catch(null),
  approved_payment: payment,
  diagnostics: toldFixes,
  payment_terms_sha256: text,
  probe,
  permalink: text,
});

const crawlReceiptShape = z.object({
  id: z.string(),
  verdict,
  reason: z.string(),
  method: text,
  url: text,
  claimed_price_usd: usd,
  listed_network: text,
  listed_pay_to: text,
  quoted_price_usd: usd,
  network: text,
  pay_to: text,
  timestamp: instant,
  diagnostics: toldFixes,
  permalink: text,
});

/** A receipt of either kind. */
export function readReceipt(json: unknown): Findings | null {
  const live = liveReceiptShape.safeParse(json);
  if (live.success) return liveFindings(live.data);
  const crawl = crawlReceiptShape.safeParse(json);
  return crawl.success ? crawlFindings(crawl.data) : null;
}

function liveFindings(data: z.output<typeof liveReceiptShape>): Findings {
  const { claimed_price_usd: price, pay_to: payTo, network, source: expectedFrom } = data.expected;
  return {
    verdict: data.verdict,
    code: codeIn(data.reason),
    reason: data.reason_text ?? data.reason,
    method: data.method,
    url: data.url,
    expected: { price, payTo, network },
    expectedFrom,
    compared: isCompared({ price, payTo }),
    offers: data.live_402?.accepts ?? [],
    approved: data.approved_payment,
    fixes: data.diagnostics,
    termsSha256: data.payment_terms_sha256,
    lookedAt: data.probe.probed_at,
    reused: data.probe.cached,
    receiptId: data.id,
    receiptUrl: data.permalink,
    mode: data.mode === 'dry-run' ? 'dry-run' : 'live',
    left: null,
  };
}

function crawlFindings(data: z.output<typeof crawlReceiptShape>): Findings {
  const live = { price: data.quoted_price_usd, payTo: data.pay_to, network: data.network };
  const listed = { price: data.claimed_price_usd, payTo: data.listed_pay_to, network: data.listed_network };
  return {
    verdict: data.verdict,
    code: null,
    reason: data.reason,
    method: data.method,
    url: data.url,
    expected: listed,
    expectedFrom: 'listing',
    compared: isCompared(listed),
    offers: live.payTo === null && live.price === null ? [] : [live],
    approved: null,
    fixes: data.diagnostics,
    termsSha256: null,
    lookedAt: data.timestamp,
    reused: false,
    receiptId: data.id,
    receiptUrl: data.permalink,
    mode: 'crawl',
    left: null,
  };
}

function isCompared({ price, payTo }: Pick<Side, 'price' | 'payTo'>): boolean {
  return price !== null || payTo !== null;
}

/** The answer of a check, completed from its public receipt: the free shape is short. */
export function withReceipt(check: Findings, receipt: Findings | null): Findings {
  if (receipt === null) return check;
  return {
    ...receipt,
    verdict: check.verdict,
    compared: check.compared ?? receipt.compared,
    approved: check.verdict === 'pay' ? (check.approved ?? receipt.approved) : null,
    receiptUrl: check.receiptUrl ?? receipt.receiptUrl,
    left: check.left,
  };
}
