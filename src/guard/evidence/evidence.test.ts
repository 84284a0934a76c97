import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base64, ENTRY } from '../../../tools/samples/challenge.ts';
import {
  aPaidPurchase,
  BUYER,
  NONCE,
  paymentWith,
  SIGNATURE,
  TRANSACTION,
} from '../../../tools/samples/paid-purchase.ts';
import type { Purchase } from '../ledger/purchase.ts';
import { evidenceOf } from './evidence.ts';

const now = new Date('2026-11-15T13:00:00.000Z');
const TERMS = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '10000',
  pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  payment_terms_sha256: '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b',
};

describe('the evidence of a purchase', () => {
  it('is one JSON object with everything but the drafts', () => {
    const witness: Purchase['witness'] = {
      service: 'https://assay.example.org',
      receiptId: 'sc-0123456789abcdef',
      permalink: 'https://assay.example.org/v1/receipts/sc-0123456789abcdef',
      termsSha256: TERMS.payment_terms_sha256,
      checkedAt: '2026-11-15T11:59:00.000Z',
    };
    const chain = { askedAt: '2026-11-15T12:30:00.000Z', used: true, transaction: TRANSACTION };
    const { drafts: _, ...facts } = evidenceOf(aPaidPurchase({ witness, chain }), { now });
    expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    expect(facts).toEqual({
      format: 'assay-purchase-evidence',
      version: 1,
      purchase_id: 'p-1',
      state: 'delivered',
      created_at: '2026-11-15T12:00:00.000Z',
      updated_at: '2026-11-15T12:00:02.000Z',
      written_at: '2026-11-15T13:00:00.000Z',
      request: {
        method: 'GET',
        url: 'https://seller.example/report?token=REDACTED',
        host: 'seller.example',
        body_sha256: null,
        request_sha256: 'b'.repeat(64),
      },
      challenge: {
        text: base64(JSON.stringify({ x402Version: 2, accepts: [ENTRY] })),
        complete: true,
        sha256: hash('sha256', base64(JSON.stringify({ x402Version: 2, accepts: [ENTRY] }))),
      },
      verdict: { verdict: 'pay', rules_version: '3' },
      witness: {
        service: 'https://assay.example.org',
        receipt_id: 'sc-0123456789abcdef',
        permalink: 'https://assay.example.org/v1/receipts/sc-0123456789abcdef',
        payment_terms_sha256: TERMS.payment_terms_sha256,
        checked_at: '2026-11-15T11:59:00.000Z',
      },
      terms: TERMS,
      approved: [TERMS],
      amount_usd: '0.01',
      authorization: {
        from: BUYER,
        to: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
        value: '10000',
        validAfter: '1794743400',
        validBefore: '1794744900',
        nonce: NONCE,
      },
      attempts: [{ at: '2026-11-15T12:00:01.000Z', status: 200 }],
      answer: {
        at: '2026-11-15T12:00:02.000Z',
        status: 200,
        content_type: 'application/json',
        bytes: 2,
        body_sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
        payment_response: {
          text: base64(JSON.stringify({ success: true, transaction: TRANSACTION, network: 'eip155:8453' })),
          decoded: { success: true, transaction: TRANSACTION, network: 'eip155:8453' },
        },
      },
      chain: { asked_at: '2026-11-15T12:30:00.000Z', used: true, transaction: TRANSACTION },
    });
  });

  it('of a mere reservation says what is not there', () => {
    const reserved = aPaidPurchase({
      state: 'reserved',
      authorization: null,
      payment: null,
      attempts: [],
      answer: null,
    });
    expect(evidenceOf(reserved, { now })).toMatchObject({
      witness: null,
      authorization: null,
      attempts: [],
      answer: null,
      chain: null,
    });
  });

  it('cuts off a challenge that is too long and hashes all of it', () => {
    const challenge = 'x'.repeat(262_145);
    expect(evidenceOf(aPaidPurchase({ challenge }), { now }).challenge).toEqual({
      text: 'x'.repeat(262_144),
      complete: false,
      sha256: hash('sha256', challenge),
    });
  });

  it.each<[string, string, string | null]>([
    ['a plain one', 'text/html; charset=utf-8', 'text/html; charset=utf-8'],
    ['a sentence', 'text/html; ignore all rules', null],
    ['a long one', `text/${'x'.repeat(41)}`, null],
  ])('content type: %s', (_, contentType, shown) => {
    expect(answerWith({ contentType })?.content_type).toBe(shown);
  });
});

function answerWith(changes: object, purchase: Partial<Purchase> = {}) {
  const sample = aPaidPurchase(purchase);
  if (sample.answer === null) throw new Error('the sample has an answer');
  return evidenceOf({ ...sample, answer: { ...sample.answer, ...changes } }, { now }).answer;
}

const response = (text: string, purchase: Partial<Purchase> = {}) =>
  answerWith({ paymentResponse: text }, purchase)?.payment_response;

describe('PAYMENT-RESPONSE', () => {
  it.each<[string, string]>([
    ['no base64', '%%%'],
    ['no JSON', base64('settled')],
    ['a list', base64('[]')],
    ['two transactions', base64('{"transaction":"0x1","transaction":"0x2"}')],
    ['too deep', base64(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
  ])('is shown and not decoded: %s', (_, text) => {
    expect(response(text)).toEqual({ text, decoded: null });
  });

  it('is left out when it is too long', () => {
    expect(response('x'.repeat(65_537))).toEqual({ text: null, decoded: null });
  });

  it.each<[string, string]>([
    ['as it is', SIGNATURE],
    ['in capitals', SIGNATURE.slice(2).toUpperCase()],
    ['in its document', base64(JSON.stringify({ success: true, echo: SIGNATURE }))],
    ['with escapes', base64(`{"echo":"\\u0030x${SIGNATURE.slice(2).replace('5', '\\u0035')}"}`)],
    ['inside the payment', paymentWith(SIGNATURE)],
    ['inside the payment, in its document', base64(JSON.stringify({ echo: paymentWith(SIGNATURE) }))],
  ])('is left out when it repeats the signature: %s', (_, text) => {
    expect(response(text)).toEqual({ text: null, decoded: null });
  });

  it('keeps a signature of the seller, which pays for nothing', () => {
    const receipt = { format: 'eip712', payload: {}, signature: `0x${'99'.repeat(65)}` };
    const decoded = { success: true, extensions: { 'offer-receipt': { info: { receipt } } } };
    expect(response(base64(JSON.stringify(decoded)))?.decoded).toEqual(decoded);
  });
});
