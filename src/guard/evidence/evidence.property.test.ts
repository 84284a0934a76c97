import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64 } from '../../../tools/samples/challenge.ts';
import { aPaidPurchase, paymentWith } from '../../../tools/samples/paid-purchase.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { OPEN_STATES, type Purchase, type PurchaseState } from '../ledger/purchase.ts';
import { evidenceOf } from './evidence.ts';

const STATES: PurchaseState[] = [...OPEN_STATES, 'delivered', 'paid_undelivered', 'never_settled', 'expired'];
const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString('hex')}`);

/** What a seller may send back: anything, also what it was paid with. */
const echo = (signature: string, payment: string) =>
  fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.jsonValue().map((value) => base64(JSON.stringify(value))),
    fc.constantFrom(signature, payment, signature.toUpperCase(), signature.slice(2)),
    fc
      .dictionary(fc.string(), fc.constantFrom(signature, payment))
      .map((value) => base64(JSON.stringify(value))),
  );

const purchases = fc.tuple(fc.constantFrom(65, 66, 400), fc.constantFrom(...STATES)).chain(([bytes, state]) =>
  hex(bytes).chain((signature) => {
    const payment = paymentWith(signature);
    return fc
      .record({
        paymentResponse: fc.option(echo(signature, payment)),
        contentType: fc.option(
          fc.oneof(fc.string(), fc.constantFrom(signature, `text/${signature.slice(2, 40)}`)),
        ),
        status: fc.integer({ min: 100, max: 599 }),
        hasAnswer: fc.boolean(),
        isSigned: fc.boolean(),
        used: fc.option(fc.boolean()),
        transaction: fc.option(hex(32)),
        challenge: fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        amount: fc.bigInt({ min: 0n, max: 10_000_000n }),
        isDuplicate: fc.boolean(),
      })
      .map((any) => ({
        signature,
        payment,
        isDuplicate: any.isDuplicate,
        purchase: purchaseOf(any, { state, payment }),
      }));
  }),
);

interface Any {
  readonly paymentResponse: string | null;
  readonly contentType: string | null;
  readonly status: number;
  readonly hasAnswer: boolean;
  readonly isSigned: boolean;
  readonly used: boolean | null;
  readonly transaction: string | null;
  readonly challenge: string;
  readonly amount: bigint;
}

function purchaseOf(any: Any, { state, payment }: { state: PurchaseState; payment: string }): Purchase {
  const at = '2026-11-15T12:00:02.000Z';
  const { status, contentType, paymentResponse, used, transaction } = any;
  const answer = { at, status, contentType, bytes: null, sha256: null, paymentResponse };
  return aPaidPurchase({
    state,
    payment,
    answer: any.hasAnswer ? answer : null,
    chain: used === null ? null : { askedAt: at, used, transaction },
    challenge: any.challenge,
    amount: microUsd(any.amount),
    ...(any.isSigned ? {} : { authorization: null }),
  });
}

describe('the evidence of any purchase', () => {
  it('is JSON, and holds neither the signature nor the payment', () => {
    fc.assert(
      fc.property(purchases, ({ purchase, signature, payment, isDuplicate }) => {
        const evidence = evidenceOf(purchase, { now: new Date('2026-11-15T13:00:00.000Z'), isDuplicate });
        const text = JSON.stringify(evidence);
        expect(JSON.parse(text)).toEqual(evidence);
        // Half of it is not enough to pay with, and too much to be there by chance.
        expect(text.toLowerCase()).not.toContain(signature.slice(2, 66));
        expect(text).not.toContain(payment);
        expect(text).not.toContain(payment.slice(0, 200));
      }),
      { numRuns: 1_000 },
    );
  });
});
