import type { MicroUsd } from '../money/micro-usd.ts';
import type { CrawlReceipt } from '../receipt/crawl-receipt.ts';
import { judgedOffer } from '../receipt/judged-offer.ts';
import type { LiveReceipt } from '../receipt/live-receipt.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { isSameAddress } from '../x402/address.ts';
import { quotedPrice } from '../x402/terms.ts';

/** What a watch compares. */
export interface WatchedState {
  readonly verdict: Verdict['verdict'];
  readonly price: MicroUsd | null;
  readonly payTo: string | null;
}

export interface SeenState extends WatchedState {
  readonly at: Date;
}

/** What a receipt says about an endpoint. */
export interface Observed extends SeenState {
  readonly receiptId: string;
}

export interface Change {
  readonly before: WatchedState;
  readonly after: Observed;
}

export function observedLive(receipt: LiveReceipt): Observed {
  const offer = judgedOffer(receipt);
  return {
    receiptId: receipt.id,
    at: receipt.checkedAt,
    verdict: receipt.verdict,
    price: offer === null ? null : quotedPrice(offer),
    payTo: offer?.payTo ?? null,
  };
}

export function observedCrawl({ id, checkedAt, verdict, quotedPrice: price, payTo }: CrawlReceipt): Observed {
  return { receiptId: id, at: checkedAt, verdict, price, payTo };
}

export function isSameState(left: WatchedState, right: WatchedState): boolean {
  return left.verdict === right.verdict && left.price === right.price && isSamePayee(left, right);
}

export function isSamePayee({ payTo: left }: WatchedState, { payTo: right }: WatchedState): boolean {
  return left === null || right === null ? left === right : isSameAddress(left, right);
}

/** From what was observed, newest first, to what has changed, newest first. The oldest is only compared with. */
export function changesIn(observed: readonly Observed[], limit: number): readonly Change[] {
  const changes: Change[] = [];
  for (const [index, after] of observed.entries()) {
    const before = observed[index + 1];
    if (before === undefined || changes.length === limit) break;
    if (!isSameState(before, after)) changes.push({ before, after });
  }
  return changes;
}
