import type {
  FrozenAnswer,
  PaymentClaim,
  PaymentLedger,
  PreparedAnswer,
} from '../../src/ports/payment-ledger.ts';
import { afterNoon, aReceipt, NOON, receiptId } from './store-receipts.ts';

/** A claim of one attempt at noon, good for a second. */
export function aClaim(changes: Partial<PaymentClaim> = {}): PaymentClaim {
  return {
    key: 'eip155:8453|0xusdc|0xpayer|0x01',
    requestKey: 'lookup weather',
    identifier: null,
    holder: 'first attempt',
    claimedAt: NOON,
    heldUntil: afterNoon(1_000),
    ...changes,
  };
}

/** An answer with the n-th receipt behind it. */
export function prepared(n = 1): PreparedAnswer {
  return {
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

const { key, holder } = aClaim();

/** How far a payment with an identifier has come before somebody claims again. */
export const NAMED = { identifier: 'order-1' };
export const STAGES: Readonly<Record<string, (ledger: PaymentLedger) => Promise<unknown>>> = {
  nothing: async () => {},
  claimed: (ledger) => ledger.claim(aClaim(NAMED)),
  settling: async (ledger) => {
    await ledger.claim(aClaim(NAMED));
    await ledger.prepare(key, holder, prepared(), 'payment', afterNoon(1));
  },
  unknown: async (ledger) => {
    await STAGES['settling']?.(ledger);
    await ledger.leaveOpen(key, afterNoon(2));
  },
  rejected: async (ledger) => {
    await STAGES['settling']?.(ledger);
    await ledger.reject(key, afterNoon(2));
  },
  settled: async (ledger) => {
    await STAGES['settling']?.(ledger);
    await ledger.settle(key, ANSWER, '0xtx', afterNoon(2));
  },
  released: async (ledger) => {
    await ledger.claim(aClaim(NAMED));
    await ledger.release(key, holder);
  },
};
