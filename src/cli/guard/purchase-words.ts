import { formatUsd } from '../../core/money/micro-usd.ts';
import { type Purchase, type PurchaseState, RESERVED_FOR_MS } from '../../guard/ledger/purchase.ts';

/** What a state means for the buyer. */
export const STATE_WORDS: Readonly<Record<PurchaseState, string>> = {
  reserved: 'Approved. The payer has not signed yet.',
  signed: 'Signed. The payment was not sent yet.',
  sent: 'The payment was sent. The answer has not come yet.',
  delivering: 'Paid. The answer is still coming.',
  delivered: 'Paid and delivered.',
  empty: 'The payment was sent. The seller answered without a body.',
  failed: 'The payment was sent. The seller answered with an error.',
  asked_again: 'The payment was sent. The seller asked for payment again.',
  unknown: 'The payment was sent. No answer arrived.',
  paid_undelivered: 'The chain says that the payment was taken. Nothing was delivered.',
  never_settled: 'The chain says that the payment was not taken, and it is too late to take it.',
  expired: 'Approved, but not signed in time. Nothing was paid.',
};

const OPEN_ENDS: ReadonlySet<PurchaseState> = new Set(['empty', 'failed', 'asked_again', 'unknown']);

/** The same request sends the same payment again while it is valid. */
export function mayBeRepeated({ state, authorization }: Purchase, now: Date): boolean {
  return (
    OPEN_ENDS.has(state) &&
    authorization !== null &&
    Number(authorization.validBefore) * 1_000 > now.getTime()
  );
}

/** A reservation that nobody signed in time is written down as expired only by the next purchase. */
export function asOf(purchase: Purchase, now: Date): Purchase {
  const isLate = now.getTime() - purchase.createdAt.getTime() > RESERVED_FOR_MS;
  return purchase.state === 'reserved' && isLate ? { ...purchase, state: 'expired' } : purchase;
}

export function priceOf({ amount }: Purchase): string {
  return `$${formatUsd(amount)}`;
}
