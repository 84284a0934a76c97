import { describe, expect, it } from 'vitest';
import { ENTRY } from '../../../tools/samples/challenge.ts';
import { parseNetwork } from './networks.ts';
import type { Payment } from './payment-payload.ts';
import { isLongExpired, type PaymentRefusal, termsRefusal, validityRefusal } from './payment-refusal.ts';

const NOON = new Date('2026-11-15T12:00:00.900Z');
const NOON_SECONDS = 1_794_744_000n;
const DUE = { amount: 20_000n, payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C' };
const ACCEPTED = { ...ENTRY, amount: '20000', payTo: DUE.payTo };
const authorization = {
  from: '0x857b06519e91e3a54538791bdbb0e22373e36b66',
  to: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
  value: 20_000n,
  validAfter: 0n,
  validBefore: NOON_SECONDS + 300n,
  nonce: `0x${'ab'.repeat(32)}`,
};
const base = parseNetwork('base');
if (base === null) throw new Error('Base is a network');
const payment: Payment = {
  x402Version: 2,
  scheme: 'exact',
  network: base,
  authorization,
  signature: '0x1c',
  payer: authorization.from,
  identifier: null,
  document: { accepted: ACCEPTED },
};
const accepting = (changes: object) => ({ document: { accepted: { ...ACCEPTED, ...changes } } });

describe('the terms of a payment (PAY-06)', () => {
  it.each<[string, Partial<Payment>, PaymentRefusal | null]>([
    ['as asked', {}, null],
    ['as asked, addresses in other letters', accepting({ payTo: DUE.payTo.toLowerCase() }), null],
    ['of version 1, which repeats no offer', { x402Version: 1, document: {} }, null],
    ['on another network', { network: parseNetwork('eip155:1') ?? base }, 'wrong_network'],
    ['of another scheme', { scheme: 'upto' }, 'refused'],
    ['to another payee', { authorization: { ...authorization, to: authorization.from } }, 'wrong_payee'],
    ['one unit less', { authorization: { ...authorization, value: 19_999n } }, 'wrong_amount'],
    ['one unit more', { authorization: { ...authorization, value: 20_001n } }, 'wrong_amount'],
    ['that says it accepted less', accepting({ amount: '1' }), 'terms_mismatch'],
    ['that says the amount as a number', accepting({ amount: 20_000 }), 'terms_mismatch'],
    ['that says it accepted another payee', accepting({ payTo: authorization.from }), 'terms_mismatch'],
    ['that says it accepted another token', accepting({ asset: authorization.from }), 'terms_mismatch'],
    ['that says the token in a list', accepting({ asset: [ENTRY.asset] }), 'terms_mismatch'],
    ['that says the payee in a list', accepting({ payTo: [DUE.payTo] }), 'terms_mismatch'],
    ['that names no token', accepting({ asset: undefined }), 'terms_mismatch'],
    ['of version 2 without the offer', { document: {} }, 'terms_mismatch'],
  ])('%s', (_, changes, refusal) => {
    expect(termsRefusal({ ...payment, ...changes }, DUE)).toBe(refusal);
  });
});

describe('the time of a payment (PAY-10)', () => {
  it.each<[string, bigint, bigint, PaymentRefusal | null]>([
    ['for five minutes', 0n, NOON_SECONDS + 300n, null],
    ['from this very second', NOON_SECONDS, NOON_SECONDS + 300n, null],
    ['just long enough to be settled', 0n, NOON_SECONDS + 6n, null],
    ['too short to be settled', 0n, NOON_SECONDS + 5n, 'expired'],
    ['over', 0n, NOON_SECONDS - 1n, 'expired'],
    ['never', 0n, 0n, 'expired'],
    ['from the next second on', NOON_SECONDS + 1n, NOON_SECONDS + 300n, 'not_yet_valid'],
    ['for a day', 0n, NOON_SECONDS + 86_400n, null],
    ['for longer than a day', 0n, NOON_SECONDS + 86_401n, 'refused'],
    ['for ever', 0n, 2n ** 256n - 1n, 'refused'],
  ])('%s', (_, validAfter, validBefore, refusal) => {
    expect(validityRefusal({ ...authorization, validAfter, validBefore }, NOON)).toBe(refusal);
  });

  it.each<[bigint, boolean]>([
    [NOON_SECONDS - 60n, false],
    [NOON_SECONDS - 61n, true],
  ])('that ended at %s is long over: %s', (validBefore, expected) => {
    expect(isLongExpired({ ...authorization, validBefore }, NOON)).toBe(expected);
  });
});
