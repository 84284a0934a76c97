import { type LiveReceipt, liveReceipt } from '../core/receipt/live-receipt.ts';
import { LIVE_ID_BYTES, liveReceiptId } from '../core/receipt/receipt-id.ts';
import type { LiveReceiptStore } from '../ports/live-receipts.ts';
import type { CheckRequest, Look } from './look-at-endpoint.ts';

/** A decision and the receipt that holds it for everybody. */
export interface Decision {
  readonly look: Look;
  readonly receipt: LiveReceipt;
}

export interface DecisionParts {
  readonly receipts: LiveReceiptStore;
  readonly entropy: (bytes: number) => Uint8Array;
  readonly keyOf: (text: string) => string;
  readonly now: () => Date;
}

/** Stores the receipt before its id is given out (gap G55). */
export async function decide(request: CheckRequest, look: Look, parts: DecisionParts): Promise<Decision> {
  const receipt = makeReceipt(request, look, parts);
  await parts.receipts.add(receipt, parts.keyOf(request.target.normalized));
  return { look, receipt };
}

export function makeReceipt(
  request: CheckRequest,
  look: Look,
  { entropy, now }: Pick<DecisionParts, 'entropy' | 'now'>,
): LiveReceipt {
  return liveReceipt({ ...request, ...look, id: liveReceiptId(entropy(LIVE_ID_BYTES)), checkedAt: now() });
}
