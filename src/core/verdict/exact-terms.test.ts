import { describe, expect, it } from 'vitest';
import { microUsd } from '../money/micro-usd.ts';
import { MAINNETS } from '../x402/networks.ts';
import type { Payment } from '../x402/payment-payload.ts';
import { BASE, BASE_USDC } from '../x402/usdc-on-base.ts';
import { asksForExactly, paysExactly } from './exact-terms.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const STRANGER = '0x857b06519E91e3A54538791bDbb0E22373e36b66';
const terms = {
  scheme: 'exact',
  network: BASE,
  asset: BASE_USDC,
  amountAtomic: microUsd(10_000n),
  payTo: PAYEE,
  deadline: NOON,
  deadlineSource: 'maxTimeoutSeconds',
  maxTimeoutSeconds: 60,
} as const;
const offer = { scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: BASE_USDC, payTo: PAYEE };

describe('an offer that may be signed', () => {
  it.each<[string, object, boolean]>([
    ['what was approved', {}, true],
    ['the same in other letters', { payTo: PAYEE.toLowerCase(), asset: BASE_USDC.toLowerCase() }, true],
    ['the same in version 1', { network: 'base', amount: undefined, maxAmountRequired: '10000' }, true],
    ['with the domain of the token', { extra: { name: 'USD Coin', version: '2' } }, true],
    ['with its contract and chain', { extra: { verifyingContract: BASE_USDC, chainId: 8_453 } }, true],
    ['signed for another contract', { extra: { verifyingContract: STRANGER } }, false],
    ['signed for a contract that is no text', { extra: { verifyingContract: {} } }, false],
    ['signed for another chain', { extra: { chainId: 1 } }, false],
    ['by the plain way, named', { extra: { assetTransferMethod: 'eip3009' } }, true],
    ['one unit more', { amount: '10001' }, false],
    ['one unit less', { amount: '9999' }, false],
    ['a number', { amount: 10_000 }, false],
    ['another payee', { payTo: STRANGER }, false],
    ['another token', { asset: STRANGER }, false],
    ['another network', { network: 'eip155:84532' }, false],
    ['another scheme', { scheme: 'upto' }, false],
    ['a standing permission', { extra: { assetTransferMethod: 'permit2' } }, false],
    ['a way nobody knows', { extra: { assetTransferMethod: 'x' } }, false],
  ])('%s', (_, changes, expected) => {
    const changed = Object.fromEntries(
      Object.entries({ ...offer, ...changes }).filter(([, value]) => value !== undefined),
    );
    expect(asksForExactly(changed, terms)).toBe(expected);
  });
});

describe('a payment that may leave', () => {
  const seconds = BigInt(NOON.getTime() / 1_000);
  const authorization = {
    from: STRANGER.toLowerCase(),
    to: PAYEE.toLowerCase(),
    value: 10_000n,
    validAfter: 0n,
    validBefore: seconds + 300n,
    nonce: `0x${'ab'.repeat(32)}`,
  };
  const payment: Payment = {
    x402Version: 2,
    scheme: 'exact',
    network: BASE,
    authorization,
    signature: '0x1c',
    payer: STRANGER,
    identifier: null,
    document: {},
  };

  it.each<[string, Partial<Payment['authorization']>, boolean]>([
    ['what was approved', {}, true],
    ['good for an hour', { validBefore: seconds + 3_600n }, true],
    ['good for longer', { validBefore: seconds + 3_601n }, false],
    ['to somebody else', { to: STRANGER.toLowerCase() }, false],
    ['of more', { value: 10_001n }, false],
  ])('%s', (_, changes, expected) => {
    expect(paysExactly({ ...payment, authorization: { ...authorization, ...changes } }, terms, NOON)).toBe(
      expected,
    );
  });

  it.each<[string, Partial<Payment>]>([
    ['another network', { network: MAINNETS[1]?.network ?? BASE }],
    ['another scheme', { scheme: 'upto' }],
  ])('not with %s', (_, changes) => {
    expect(paysExactly({ ...payment, ...changes }, terms, NOON)).toBe(false);
  });
});
