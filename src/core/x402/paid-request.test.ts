import { describe, expect, it } from 'vitest';
import { parseNetwork } from './networks.ts';
import { paidRequestKey, paymentKey, purchaseKey } from './paid-request.ts';
import type { Payment } from './payment-payload.ts';

const base = parseNetwork('base');
if (base === null) throw new Error('Base is a network');
const authorization = {
  from: '0x857b06519e91e3a54538791bdbb0e22373e36b66',
  to: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
  value: 20_000n,
  validAfter: 0n,
  validBefore: 1_800_000_000n,
  nonce: `0x${'ab'.repeat(32)}`,
};
const payment: Payment = {
  x402Version: 2,
  scheme: 'exact',
  network: base,
  authorization,
  signature: '0x1c',
  payer: authorization.from,
  identifier: null,
  document: {},
};
const WEATHER = { operation: 'lookup', parameters: ['weather', null] };

describe('the name of a payment (G63)', () => {
  it('is network, token, payer and nonce, and nothing else', () => {
    expect(paymentKey(payment)).toBe(
      `eip155:8453|0x833589fcd6edb6e08f4c7c32d4f71b54bda02913|0x857b06519e91e3a54538791bdbb0e22373e36b66|0x${'ab'.repeat(32)}`,
    );
    const other = { ...payment, authorization: { ...authorization, value: 9n, validBefore: 1n } };
    expect(paymentKey({ ...other, signature: '0x99', document: { x: 1 } })).toBe(paymentKey(payment));
  });
});

describe('what a payment is for', () => {
  it.each<[string, object]>([
    ['another operation', { operation: 'pack', parameters: ['weather', null] }],
    ['another parameter', { operation: 'lookup', parameters: ['maps', null] }],
    ['nothing and a word that says null', { operation: 'lookup', parameters: ['weather', 'null'] }],
    ['one parameter less', { operation: 'lookup', parameters: ['weather'] }],
    ['parameters that only read alike', { operation: 'lookup', parameters: ['weather","', null] }],
  ])('is another thing: %s', (_, changes) => {
    expect(purchaseKey({ ...WEATHER, ...changes })).not.toBe(purchaseKey(WEATHER));
  });

  it.each<[string, Partial<Payment>]>([
    ['another signature', { signature: '0x99' }],
    ['another amount', { authorization: { ...authorization, value: 9n } }],
    ['another payee', { authorization: { ...authorization, to: authorization.from } }],
    ["another name of the buyer's own", { identifier: 'a-name-of-the-buyer' }],
    ['another life', { authorization: { ...authorization, validBefore: 9n } }],
  ])('is not answered for a nonce with %s', (_, changes) => {
    expect(paidRequestKey(WEATHER, { ...payment, ...changes })).not.toBe(paidRequestKey(WEATHER, payment));
  });

  it('is the same in any wrapping', () => {
    const wrapped = { ...payment, x402Version: 1, document: { other: true } } as const;
    expect(paidRequestKey(WEATHER, wrapped)).toBe(paidRequestKey(WEATHER, payment));
  });
});
