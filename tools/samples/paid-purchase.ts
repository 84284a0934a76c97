import { microUsd } from '../../src/core/money/micro-usd.ts';
import type { Purchase } from '../../src/guard/ledger/purchase.ts';
import { BASE, base64, ENTRY, PAYEE, USDC_ON_BASE } from './challenge.ts';

export const BUYER = '0x1563915e194d8cfba1943570603f7606a3115508';
export const NONCE = `0x${'ab'.repeat(32)}`;
export const TRANSACTION = `0x${'12'.repeat(32)}`;
/** Easy to recognise wherever it turns up. */
export const SIGNATURE = `0x${'5ec2e7'.repeat(21)}5ec21b`;

const TERMS = { network: BASE, asset: USDC_ON_BASE, amount: '10000', payTo: PAYEE };
const TERMS_SHA256 = '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b';

/** A payment header as it is sent. */
export function paymentWith(signature: string, changes: object = {}): string {
  const authorization = {
    from: BUYER,
    to: PAYEE,
    value: '10000',
    validAfter: '1794743400',
    validBefore: '1794744900',
    nonce: NONCE,
  };
  const payload = { signature, authorization };
  return base64(JSON.stringify({ x402Version: 2, accepted: ENTRY, payload, ...changes }));
}

/** One cent for a report, paid and delivered at noon. */
export function aPaidPurchase(changes: Partial<Purchase> = {}): Purchase {
  return {
    id: 'p-1',
    key: 'a'.repeat(64),
    state: 'delivered',
    request: 'b'.repeat(64),
    endpoint: 'c'.repeat(64),
    host: 'seller.example',
    url: 'https://seller.example/report?token=REDACTED',
    method: 'GET',
    bodySha256: null,
    credentials: null,
    redirected: false,
    task: null,
    name: null,
    terms: TERMS,
    termsSha256: TERMS_SHA256,
    amount: microUsd(10_000n),
    approved: [{ entry: ENTRY, terms: TERMS, termsSha256: TERMS_SHA256 }],
    challenge: base64(JSON.stringify({ x402Version: 2, accepts: [ENTRY] })),
    rulesVersion: '3',
    witness: null,
    authorization: {
      from: BUYER,
      to: PAYEE.toLowerCase(),
      value: 10_000n,
      validAfter: 1_794_743_400n,
      validBefore: 1_794_744_900n,
      nonce: NONCE,
    },
    payment: paymentWith(SIGNATURE),
    attempts: [{ at: '2026-11-15T12:00:01.000Z', status: 200 }],
    answer: {
      at: '2026-11-15T12:00:02.000Z',
      status: 200,
      contentType: 'application/json',
      bytes: 2,
      sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      paymentResponse: base64(JSON.stringify({ success: true, transaction: TRANSACTION, network: BASE })),
    },
    chain: null,
    createdAt: new Date('2026-11-15T12:00:00.000Z'),
    updatedAt: new Date('2026-11-15T12:00:02.000Z'),
    ...changes,
  };
}
