import * as z from 'zod';
import type { LiveReceipt } from '../../../core/receipt/live-receipt.ts';
import type { FrozenAnswer, PreparedAnswer } from '../../../ports/payment-ledger.ts';
import { decodeLiveReceipt, decodeOlderReceipt, encodeLiveReceipt } from '../receipts/receipt-codec.ts';

/** An answer that waits for its settlement, and the payment as it was received. */
export interface Prepared {
  readonly answer: PreparedAnswer;
  readonly payment: string;
}

export function encodePrepared(prepared: Prepared): string {
  return JSON.stringify(z.encode(storedPrepared, prepared));
}

/** Throws when unreadable: a buyer has paid for it. */
export function decodePrepared(text: string): Prepared {
  return storedPrepared.parse(JSON.parse(text));
}

export function encodeAnswer(answer: FrozenAnswer): string {
  return JSON.stringify(z.encode(storedAnswer, answer));
}

export function decodeAnswer(text: string): FrozenAnswer {
  return storedAnswer.parse(JSON.parse(text));
}

/** As the text that will be stored, which is the one that is hashed. Rows of older releases have an object. */
const storedReceipt = z.codec(
  z.unknown(),
  z.custom<LiveReceipt>((value) => typeof value === 'object' && value !== null),
  {
    decode: (value) => (typeof value === 'string' ? decodeLiveReceipt(value) : decodeOlderReceipt(value)),
    encode: encodeLiveReceipt,
  },
);

const storedPrepared = z.strictObject({
  answer: z.strictObject({
    operation: z.enum(['lookup', 'spot_check', 'pack']),
    body: z.string(),
    receipt: z.strictObject({ receipt: storedReceipt, urlKey: z.string() }).nullable(),
  }),
  payment: z.string(),
});

/** As pairs: an object would lose the key `__proto__`. */
const storedHeaders = z.codec(
  z.array(z.tuple([z.string(), z.string()])),
  z.custom<FrozenAnswer['headers']>((value) => typeof value === 'object' && value !== null),
  { decode: (pairs) => Object.fromEntries(pairs), encode: (headers) => Object.entries(headers) },
);

const storedAnswer = z.strictObject({
  status: z.int(),
  headers: storedHeaders,
  // Rows of older releases have the whole answer in the body.
  goods: z.literal('pack').optional(),
  body: z.string(),
});
