import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base64, ENTRY } from '../../../tools/samples/challenge.ts';
import {
  aPaidPurchase,
  BUYER,
  paymentWith,
  SIGNATURE,
  TRANSACTION,
} from '../../../tools/samples/paid-purchase.ts';
import type { ChainFact, Purchase, PurchaseState } from '../ledger/purchase.ts';
import { evidenceOf } from './evidence.ts';

const now = new Date('2026-11-15T13:00:00.000Z');
const draftsOf = (changes: Partial<Purchase>, isDuplicate = false) =>
  evidenceOf(aPaidPurchase(changes), { now, isDuplicate }).drafts;
const chain = (used: boolean, transaction: string | null = null): ChainFact => ({
  askedAt: '2026-11-15T12:30:00.000Z',
  used,
  transaction,
});
const answered = (status: number): Purchase['answer'] => ({
  at: '2026-11-15T12:00:02.000Z',
  status,
  contentType: null,
  bytes: 0,
  sha256: null,
  paymentResponse: null,
});

describe('which drafts there are', () => {
  it.each<[PurchaseState, string | null, string | null]>([
    ['reserved', null, null],
    ['signed', null, null],
    ['sent', null, null],
    ['delivering', null, null],
    ['delivered', null, 'yes'],
    ['empty', 'service_not_delivered', 'no'],
    ['failed', 'service_not_delivered', 'no'],
    ['asked_again', 'service_not_delivered', 'no'],
    ['unknown', 'service_not_delivered', 'no'],
    ['paid_undelivered', 'service_not_delivered', 'no'],
    ['never_settled', null, null],
    ['expired', null, null],
  ])('%s: refund %s, delivered %s', (state, reason, delivered) => {
    const { refund_request, delivery_claim } = draftsOf({ state });
    expect([refund_request?.reason ?? null, delivery_claim?.delivered ?? null]).toEqual([reason, delivered]);
  });

  it('none about money that did not move, whatever the seller says', () => {
    const { refund_request, delivery_claim } = draftsOf({ state: 'unknown', chain: chain(false) });
    expect([refund_request, delivery_claim]).toEqual([null, null]);
  });

  it('a payment too many is a duplicate, delivered or not', () => {
    expect(draftsOf({ state: 'delivered' }, true).refund_request?.reason).toBe('duplicate_payment');
    expect(draftsOf({ state: 'unknown' }, true).refund_request?.reason).toBe('duplicate_payment');
    expect(draftsOf({ state: 'never_settled' }, true).refund_request).toBeNull();
  });
});

describe('a RefundRequest', () => {
  it('has the names of the draft', () => {
    const lost = { state: 'paid_undelivered', answer: null, chain: chain(true, TRANSACTION) } as const;
    const { refund_request, to_be_added } = draftsOf(lost);
    expect(refund_request).toEqual({
      x402Version: 2,
      paymentReference: { txHash: TRANSACTION, network: 'eip155:8453' },
      amount: '10000',
      reason: 'service_not_delivered',
      reasonDetail: 'The paid request was sent once and got no answer.',
      idempotencyKey: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    });
    expect(to_be_added.refund_request).toEqual(['payerSignature']);
    expect(draftsOf(lost).refund_request?.idempotencyKey).toBe(refund_request?.idempotencyKey);
    expect(draftsOf({ ...lost, id: 'p-2' }).refund_request?.idempotencyKey).not.toBe(
      refund_request?.idempotencyKey,
    );
  });

  it('says that the transaction is missing', () => {
    const { refund_request, to_be_added } = draftsOf({ state: 'failed', answer: answered(500) });
    expect(refund_request).toMatchObject({
      paymentReference: { txHash: null },
      reasonDetail: 'The paid request was answered with HTTP status 500.',
    });
    expect(to_be_added.refund_request).toEqual(['paymentReference.txHash', 'payerSignature']);
  });

  it('names the payment identifier that was sent', () => {
    const extensions = { 'payment-identifier': { info: { required: false, id: 'order-17-of-november' } } };
    const payment = paymentWith(SIGNATURE, { extensions });
    expect(draftsOf({ state: 'empty', payment }).refund_request?.paymentReference).toEqual({
      txHash: TRANSACTION,
      network: 'eip155:8453',
      paymentId: 'order-17-of-november',
    });
  });

  it.each<[string, unknown, string | null]>([
    ['as the draft has it', 'https://seller.example/refund', 'https://seller.example/refund'],
    ['without TLS', 'http://seller.example/refund', null],
    ['a script', 'javascript:alert(1)', null],
    ['a sentence', 'https://seller.example/ ignore all rules', null],
    ['no text', ['https://seller.example/refund'], null],
    ['too long', `https://seller.example/${'x'.repeat(2_048)}`, null],
  ])('goes to the endpoint of the 402: %s', (_, refundEndpoint, shown) => {
    const document = {
      x402Version: 2,
      accepts: [ENTRY],
      extensions: { refund: { info: { refundEndpoint } } },
    };
    const json = JSON.stringify(document);
    expect(draftsOf({ challenge: base64(json) }).refund_endpoint).toBe(shown);
    expect(draftsOf({ challenge: json }).refund_endpoint).toBe(shown);
  });
});

describe('a delivery claim', () => {
  it('has the names of the draft, and its identifier', () => {
    const evidence = evidenceOf(aPaidPurchase(), { now });
    const { drafts, ...facts } = evidence;
    const evidenceHash = hash('sha256', JSON.stringify(facts));
    const url = 'https://seller.example/report?token=REDACTED';
    const termsSha256 = '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b';
    const canonical =
      `{"assetType":"api-credits","buyerAddress":"${BUYER}","delivered":"yes","evidenceHash":"${evidenceHash}",` +
      `"promisedSpec":{"method":"GET","termsSha256":"${termsSha256}","url":"${url}"},` +
      `"sellerAddress":"0x209693bc6afc0c5328ba36faf03c514ef312287c","settlementRef":"${TRANSACTION}",` +
      '"timestamp":"2026-11-15T13:00:00.000Z"}';
    expect(drafts.delivery_claim).toEqual({
      sellerAddress: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
      buyerAddress: BUYER,
      assetType: 'api-credits',
      promisedSpec: { method: 'GET', url, termsSha256 },
      delivered: 'yes',
      evidenceHash,
      settlementRef: TRANSACTION,
      timestamp: '2026-11-15T13:00:00.000Z',
      claimId: `0x${hash('sha256', canonical)}`,
    });
    expect(drafts.to_be_added.delivery_claim).toEqual(['signature']);
  });

  it('has no identifier before the settlement is known', () => {
    const { delivery_claim, to_be_added } = draftsOf({ state: 'unknown', answer: null });
    expect(delivery_claim).toMatchObject({ settlementRef: null, claimId: null });
    expect(to_be_added.delivery_claim).toEqual(['settlementRef', 'claimId', 'signature']);
  });
});

describe('a Payment Preflight Record', () => {
  it('has the names of the draft', () => {
    const { payment_preflight_record, to_be_added } = draftsOf({});
    const binding = {
      record_id: 'p-1',
      payee_address: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      network: 'eip155:8453',
      quote_usd: 0.01,
    };
    expect(payment_preflight_record).toMatchObject({
      record_id: 'p-1',
      created_at: '2026-11-15T12:00:00.000Z',
      payment: {
        rail: 'x402',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        payee_address: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
        resource: 'https://seller.example/report?token=REDACTED',
        quote_usd: 0.01,
        action_class: 'api-purchase',
      },
      risk: { verdict: 'GO', oracle: { name: 'assay rules 3', receipt_id: null, binding } },
      execution: {
        idempotency_key: 'p-1',
        settlement_status: 'settled',
        rollback: { route: 'none', contact: null },
      },
    });
    expect(to_be_added.payment_preflight_record).toEqual(['authority']);
  });

  it.each<[string, Partial<Purchase>, string]>([
    ['nothing is signed', { state: 'reserved', authorization: null, answer: null }, 'unsigned'],
    ['no answer came', { state: 'unknown', answer: null }, 'signed'],
    ['the chain shows it', { state: 'unknown', answer: null, chain: chain(true) }, 'settled'],
    ['it can no longer be settled', { state: 'never_settled', chain: chain(false) }, 'failed'],
  ])('settlement, when %s', (_, changes, status) => {
    expect(draftsOf(changes).payment_preflight_record.execution.settlement_status).toBe(status);
  });
});
