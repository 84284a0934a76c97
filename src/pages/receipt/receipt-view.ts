import type { Diagnostic } from '../../core/diagnose/diagnostic.ts';
import type { NeedsInput } from '../../core/input/needs-input.ts';
import { formatUsd, type MicroUsd } from '../../core/money/micro-usd.ts';
import { type CheckStep, stepsOfCrawl, stepsOfLive } from '../../core/receipt/check-steps.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { judgedOffer } from '../../core/receipt/judged-offer.ts';
import type { LiveReceipt } from '../../core/receipt/live-receipt.ts';
import { othersOfCrawl, othersOfLive, type SeenByOthers } from '../../core/receipt/seen-by-others.ts';
import { type DiffRow, diffCrawl, diffTerms } from '../../core/receipt/terms-diff.ts';
import type { CrawlCode } from '../../core/verdict/crawl-words.ts';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import { quotedPrice, type Terms } from '../../core/x402/terms.ts';
import type { FoundReceipt } from '../../flows/read/read-receipts.ts';
import type { VerdictWord } from '../frame/verdict-mark.ts';

type ClaimedBy = 'Listed' | 'Expected' | 'The caller expected' | 'Caller and listing';

/** A receipt of either kind, for a page. It contains nothing beyond the public receipt. */
export interface ReceiptView {
  readonly id: string;
  readonly kind: 'live' | 'dry-run' | 'crawl';
  readonly url: string;
  readonly method: ProbeMethod;
  readonly checkedAt: Date;
  readonly verdict: VerdictWord;
  /** The stable code. */
  readonly code: CrawlCode;
  /** One sentence of ours. */
  readonly sentence: string;
  readonly quoted: MicroUsd | null;
  /** The endpoint wants input before it asks for payment. */
  readonly needsInput: NeedsInput | null;
  readonly otherMethod: ProbeMethod | null;
  readonly payee: string | null;
  readonly network: string | null;
  /** The expected terms, and where they come from. */
  readonly claim: Claim;
  readonly claimedBy: ClaimedBy;
  readonly diff: readonly DiffRow[];
  /** What the seller has to change in the 402 itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** Null if the receipt does not record enough. */
  readonly steps: readonly CheckStep[] | null;
  /** Null where nobody else was asked. */
  readonly others: SeenByOthers | null;
  readonly approved: Terms | null;
  readonly termsSha256: string | null;
  /** When the endpoint was probed, and until when the probe is reused. */
  readonly probe: { readonly at: Date; readonly until: Date } | null;
}

export function receiptView(found: FoundReceipt): ReceiptView {
  return found.kind === 'live' ? liveView(found.receipt) : crawlView(found.receipt);
}

function liveView(receipt: LiveReceipt): ReceiptView {
  const { expected, method, probe } = receipt;
  const offer = judgedOffer(receipt);
  const until = new Date(probe.probedAt.getTime() + probe.cacheTtlSeconds * 1_000);
  return {
    id: receipt.id,
    kind: receipt.mode,
    url: receipt.url,
    method,
    checkedAt: receipt.checkedAt,
    verdict: receipt.verdict,
    code: receipt.reason,
    sentence: receipt.reasonText,
    needsInput: receipt.needsInput,
    otherMethod: receipt.otherMethod,
    quoted: offer === null ? null : quotedPrice(offer),
    payee: offer?.payTo ?? null,
    network: offer?.network ?? null,
    claim: expected,
    claimedBy: claimedBy(receipt),
    diff: diffTerms({ claim: { ...expected, method: null }, offer, method }),
    diagnostics: receipt.diagnostics,
    steps: stepsOfLive(receipt),
    others: othersOfLive(receipt),
    approved: receipt.approvedPayment,
    termsSha256: receipt.paymentTermsSha256,
    probe: { at: probe.probedAt, until },
  };
}

function claimedBy({ expected, listing }: LiveReceipt): ClaimedBy {
  if (expected.source === 'request') return listing === null ? 'The caller expected' : 'Caller and listing';
  return expected.source === 'listing' ? 'Listed' : 'Expected';
}

function crawlView(receipt: CrawlReceipt): ReceiptView {
  const { reason, claimedPrice: price, listedPayTo: payTo, listedNetwork: network } = receipt;
  return {
    id: receipt.id,
    kind: 'crawl',
    url: receipt.url,
    method: receipt.method,
    checkedAt: receipt.checkedAt,
    verdict: receipt.verdict,
    code: receipt.code,
    sentence: `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`,
    needsInput: receipt.needsInput ?? null,
    otherMethod: receipt.otherMethod ?? null,
    quoted: receipt.quotedPrice,
    payee: receipt.payTo,
    network: receipt.network,
    claim: { price, payTo, network },
    claimedBy: 'Listed',
    diff: diffCrawl(receipt),
    diagnostics: receipt.diagnostics ?? [],
    steps: stepsOfCrawl(receipt),
    others: othersOfCrawl(receipt),
    approved: null,
    termsSha256: null,
    probe: null,
  };
}

export function dollars(amount: MicroUsd | null): string | null {
  return amount === null ? null : `$${formatUsd(amount)}`;
}
