import type {
  Attempt,
  FrozenAnswer,
  PaymentClaim,
  PaymentLedger,
  PreparedAnswer,
} from '../../../src/ports/payment-ledger.ts';
import { afterNoon, aReceipt, NOON, receiptId } from '../../../tools/samples/store-receipts.ts';

/** The network that every claim comes from. */
export const FROM = 'a network';
export const PRESENTED = { claimedFrom: FROM, deliveredTo: null };

/** A claim of one attempt at noon, good for a second. */
export function aClaim(changes: Partial<PaymentClaim> = {}): PaymentClaim {
  return {
    key: 'eip155:8453|0xusdc|0xpayer|0x01',
    requestKey: 'lookup weather',
    identifier: null,
    from: FROM,
    holder: 'first attempt',
    claimedAt: NOON,
    heldUntil: afterNoon(1_000),
    ...changes,
  };
}

/** An answer with the n-th receipt behind it. */
export function prepared(n = 1): PreparedAnswer {
  return {
    operation: 'spot_check',
    body: `{"answer":${n},"text":"\u{1f600} \\u0000"}`,
    receipt: { receipt: aReceipt({ id: receiptId(n) }), urlKey: 'key' },
  };
}

/** Bytes that a careless store would change: blanks, escapes and the order of headers. */
export const ANSWER: FrozenAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json', 'PAYMENT-RESPONSE': 'eyJ9', a: '' },
  body: '{ "b":1,  "a":"\u{1f600}\\u0000\u0000\ud800" }\n',
};

export const OTHER_ANSWER: FrozenAnswer = { status: 200, headers: {}, body: 'another' };

const { key } = aClaim();
export const FIRST: Attempt = { key, holder: 'first attempt' };
/** Whoever claims the same payment when the first claim has run out. */
export const SECOND: Attempt = { key, holder: 'second attempt' };
export const TAKEN_OVER = { ...SECOND, claimedAt: afterNoon(1_000), heldUntil: afterNoon(2_000) };

export const NAMED = { identifier: 'order-1' };

export type Stage = 'nothing' | 'claimed' | 'released' | 'settling' | 'unknown' | 'rejected' | 'settled';

/** Takes a payment with an identifier so far, by the first attempt unless told otherwise. */
export async function bringTo(
  stage: Stage,
  ledger: PaymentLedger,
  changes: Partial<PaymentClaim> = {},
): Promise<void> {
  const claim = aClaim({ ...NAMED, ...changes });
  const at = (ms: number) => new Date(claim.claimedAt.getTime() + ms);
  if (stage === 'nothing') return;
  await ledger.claim(claim);
  if (stage === 'claimed') return;
  if (stage === 'released') return ledger.release(claim);
  await ledger.prepare(claim, prepared(), 'payment', at(1));
  if (stage === 'unknown') await ledger.leaveOpen(claim, at(2));
  if (stage === 'rejected') await ledger.reject(claim, at(2));
  if (stage === 'settled') await ledger.settle(claim, ANSWER, '0xtx', at(2));
}
