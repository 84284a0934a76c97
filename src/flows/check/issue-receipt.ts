import { type LiveReceipt, liveReceipt } from '../../core/receipt/live-receipt.ts';
import { LIVE_ID_BYTES, liveReceiptId } from '../../core/receipt/receipt-id.ts';
import { statementOfLive } from '../../core/statement/stated-live.ts';
import { SALT_BYTES, saltOf } from '../../core/statement/statement.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LiveReceiptStore } from '../../ports/live-receipts.ts';
import type { CheckRequest } from './check-request.ts';
import type { Look } from './look-at-endpoint.ts';

/** A judged look and its receipt. */
export interface Decision {
  readonly look: Look;
  readonly receipt: LiveReceipt;
  /** Written once: it is stored, and hashed for the log and for the promise. */
  readonly statement: string | null;
}

export interface ReceiptPorts {
  readonly receipts: LiveReceiptStore;
  readonly entropy: (bytes: number) => Uint8Array;
  readonly keyOf: (text: string) => string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Stores the receipt before its id is given out (gap G55). */
export async function issueReceipt(
  request: CheckRequest,
  look: Look,
  ports: ReceiptPorts,
): Promise<Decision> {
  const decision = makeDecision(request, look, ports);
  await ports.receipts.add(decision.receipt, ports.keyOf(request.target.normalized));
  return decision;
}

/** With a receipt that is not stored yet: a paid check stores it together with its answer. */
export function makeDecision(
  request: CheckRequest,
  look: Look,
  { entropy, clock }: Pick<ReceiptPorts, 'entropy' | 'clock'>,
): Decision {
  const id = liveReceiptId(entropy(LIVE_ID_BYTES));
  const salt = saltOf(entropy(SALT_BYTES));
  const receipt = liveReceipt({ id, salt, checkedAt: clock.now(), ...request, ...look });
  return { look, receipt, statement: statementOfLive(receipt) };
}
