import { microUsd } from '../../../../src/core/money/micro-usd.ts';
import type { Authorization } from '../../../../src/core/x402/payment-payload.ts';
import type { SpendingLimit } from '../../../../src/guard/ledger/ledger.ts';
import type { Purchase, Witness } from '../../../../src/guard/ledger/purchase.ts';

export const NOON = new Date('2026-11-18T12:00:00.000Z');
/** In seconds since 1970. */
export const NOON_SECONDS = 1_795_003_200n;

export function afterNoon(ms: number): Date {
  return new Date(NOON.getTime() + ms);
}

const TERMS = {
  network: 'eip155:8453',
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  amount: '10000',
  payTo: '0x2222222222222222222222222222222222222222',
};

/** A reservation of a cent at noon. Its id is its key unless another is given. */
export function aPurchase(changed: Partial<Purchase> & { readonly id: string }): Purchase {
  const createdAt = changed.createdAt ?? NOON;
  return {
    key: `key of ${changed.id}`,
    state: 'reserved',
    request: 'request',
    endpoint: 'endpoint',
    host: 'seller.example',
    url: 'https://seller.example/weather?city=Ulm',
    method: 'GET',
    bodySha256: null,
    credentials: null,
    redirected: false,
    task: null,
    name: null,
    terms: TERMS,
    termsSha256: 'terms',
    amount: microUsd(10_000n),
    approved: [
      // A key that an ordinary object loses, and an order that must stay.
      {
        entry: JSON.parse('{"z":1,"__proto__":{"a":[]},"amount":"10000"}'),
        terms: TERMS,
        termsSha256: 'terms',
      },
    ],
    challenge: '{"x402Version":2,"text":"a \\u0000 and a \\ud800"}',
    rulesVersion: '2026-11-01',
    witness: null,
    authorization: null,
    payment: null,
    attempts: [],
    answer: null,
    chain: null,
    createdAt,
    updatedAt: createdAt,
    ...changed,
  };
}

export const A_WITNESS: Witness = {
  service: 'https://assay.example',
  receiptId: 'sc-1',
  permalink: 'https://assay.example/r/sc-1',
  termsSha256: 'terms',
  checkedAt: '2026-11-18T11:59:58.000Z',
};

export const AN_AUTHORIZATION: Authorization = {
  from: '0x1111111111111111111111111111111111111111',
  to: '0x2222222222222222222222222222222222222222',
  value: 10_000n,
  validAfter: 0n,
  validBefore: NOON_SECONDS + 900n,
  nonce: '0x3333333333333333333333333333333333333333333333333333333333333333',
};

/** Everything that a purchase can have. */
export function aWholePurchase(changed: Partial<Purchase> & { readonly id: string }): Purchase {
  return aPurchase({
    bodySha256: 'body',
    redirected: false,
    task: 'task',
    name: 'order-17',
    witness: A_WITNESS,
    authorization: AN_AUTHORIZATION,
    payment: 'eyJ4NDAyVmVyc2lvbiI6Mn0=',
    attempts: [
      { at: '2026-11-18T12:00:01.000Z', status: null },
      { at: '2026-11-18T12:00:02.000Z', status: 200 },
    ],
    answer: {
      at: '2026-11-18T12:00:02.000Z',
      status: 200,
      contentType: 'application/json',
      bytes: 17,
      sha256: 'answer',
      paymentResponse: 'eyJzdWNjZXNzIjp0cnVlfQ==',
    },
    chain: { askedAt: '2026-11-18T12:20:00.000Z', used: true, transaction: '0x4444' },
    ...changed,
  });
}

export const A_DAY_BEFORE_NOON = afterNoon(-86_400_000);

export function aDayLimit(max: bigint, since = A_DAY_BEFORE_NOON): SpendingLimit {
  return { code: 'over_day_limit', max: microUsd(max), since };
}

export function aHostLimit(max: bigint, host = 'seller.example'): SpendingLimit {
  return { code: 'over_host_limit', max: microUsd(max), since: A_DAY_BEFORE_NOON, host };
}

export function aTaskLimit(max: bigint, task = 'task'): SpendingLimit {
  return { code: 'over_task_limit', max: microUsd(max), task };
}
