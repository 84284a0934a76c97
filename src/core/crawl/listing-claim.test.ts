import { describe, expect, it } from 'vitest';
import { PAYEE, THIEF, USDC_ON_BASE } from '../../../tools/samples/challenge.ts';
import type { Claim } from '../verdict/expected-terms.ts';
import { readClaim } from './listing-claim.ts';
import { fieldPlaces } from './listing-fields.ts';
import type { NumberMeaning } from './listing-price.ts';

const BASE = 'eip155:8453';
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const SOLANA_PAYEE = 'ExampLePayee11111111111111111111111111111111';
const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

function claim(members: object, numbers: NumberMeaning = 'atomic'): Claim {
  return readClaim([JSON.parse(JSON.stringify(members))], { fields: fieldPlaces({}), numbers });
}

const offer = (changes: object = {}) => ({
  scheme: 'exact',
  network: BASE,
  amount: '10000',
  asset: USDC_ON_BASE,
  payTo: PAYEE,
  ...changes,
});
const on = (network: string, changes: object = {}) => offer({ network, asset: undefined, ...changes });

describe('what a listing claims', () => {
  it.each<
    [why: string, accepts: unknown[], price: bigint | null, network: string | null, payTo: string | null]
  >([
    ['an offer of version 2', [offer()], 10_000n, BASE, PAYEE],
    [
      'one of version 1',
      [offer({ network: 'base', amount: undefined, maxAmountRequired: '200' })],
      200n,
      BASE,
      PAYEE,
    ],
    ['both amounts, equal', [offer({ maxAmountRequired: '10000' })], 10_000n, BASE, PAYEE],
    ['two amounts that differ leave none', [offer({ maxAmountRequired: '1' })], null, BASE, PAYEE],
    ['a whole number is atomic', [offer({ amount: 10_000 })], 10_000n, BASE, PAYEE],
    ['a fraction is dollars', [offer({ amount: 0.25 })], 250_000n, BASE, PAYEE],
    ['a text with a point is dollars', [offer({ amount: '0.25' })], 250_000n, BASE, PAYEE],
    ['a text with a sign is dollars', [offer({ amount: '$2' })], 2_000_000n, BASE, PAYEE],
    ['a text of digits with a leading zero is nothing', [offer({ amount: '010' })], null, BASE, PAYEE],
    [
      'more than a trillion dollars is nothing',
      [offer({ amount: '1000000000000000001' })],
      null,
      BASE,
      PAYEE,
    ],
    ['an asset that is left out is USDC', [offer({ asset: undefined })], 10_000n, BASE, PAYEE],
    ['an asset by name', [offer({ asset: 'usdc' })], 10_000n, BASE, PAYEE],
    ['another asset has no price', [offer({ asset: THIEF })], null, BASE, PAYEE],
    ['a testnet has no price', [on('base-sepolia')], null, 'eip155:84532', PAYEE],
    ['a network nobody knows claims nothing', [on('moonbase')], null, null, PAYEE],
    ['a payee that is no address claims none', [offer({ payTo: 'somebody' })], 10_000n, BASE, null],
    ['a payee of another kind of network claims none', [offer({ payTo: SOLANA_PAYEE })], 10_000n, BASE, null],
    [
      'our order of networks, whatever theirs is',
      [on(SOLANA, { payTo: SOLANA_PAYEE, amount: '1' }), on('polygon', { amount: '2' }), offer()],
      10_000n,
      BASE,
      PAYEE,
    ],
    [
      'Solana where there is nothing else to pay with',
      [on('eip155:56'), offer({ network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE })],
      10_000n,
      SOLANA,
      SOLANA_PAYEE,
    ],
    [
      'the exact scheme before others',
      [offer({ scheme: 'upto', amount: '1' }), offer()],
      10_000n,
      BASE,
      PAYEE,
    ],
    [
      'USDC before other coins',
      [offer({ asset: THIEF, amount: '1' }), on('polygon')],
      10_000n,
      'eip155:137',
      PAYEE,
    ],
    ['the cheaper of two', [offer({ amount: '7', payTo: THIEF }), offer()], 7n, BASE, THIEF],
    ['no offer at all', [], null, null, null],
  ])('%s', (_, accepts, price, network, payTo) => {
    expect(claim({ accepts })).toEqual({ price, network, payTo });
    expect(claim({ accepts: accepts.toReversed() })).toEqual({ price, network, payTo });
  });

  it('takes whole numbers for dollars where the list is known to convert', () => {
    const accepts = [offer({ amount: undefined, maxAmountRequired: 2 })];
    expect(claim({ accepts }, 'usd').price).toBe(2_000_000n);
    expect(claim({ accepts: [offer({ amount: '2' })] }, 'usd').price).toBe(2n);
  });

  it.each<[why: string, members: object, price: bigint | null]>([
    ['a number of dollars', { price_usd: 0.05 }, 50_000n],
    ['a text of dollars', { priceUsd: '0.005' }, 5_000n],
    ['ten decimals', { price_usd: '0.0020000000' }, 2_000n],
    ['a dollar sign', { price_usd: '$0.001' }, 1_000n],
    ['a unit', { price_usd: '0.02 USDC' }, 20_000n],
    ['zero means that nobody knows', { price_usd: 0 }, null],
    ['null means the same', { price_usd: null }, null],
    ['a range that is none', { price_min: '$0.001', price_max: 0.001 }, 1_000n],
    ['a range has no price', { price_min: 0.001, price_max: 0.05 }, null],
    ['half a range has none', { price_min: 0.001 }, null],
    ['millionths under their own name', { price_atomic: '5000' }, 5_000n],
    ['a price with its currency', { pricing: { amount: '0.007', currency: 'USDC' } }, 7_000n],
    ['a price in another currency', { price_usd: 1, currency: 'XNO' }, null],
    ['a currency that is empty', { price_usd: 1, currency: '' }, 1_000_000n],
    ['an offer that names no amount', { accepts: [offer({ amount: undefined })], price_usd: 0.01 }, 10_000n],
    [
      'an offer of another coin is not outdone',
      { accepts: [offer({ asset: THIEF })], price_usd: 0.01 },
      null,
    ],
    ['an offer before the list', { accepts: [offer()], price_usd: 0.5 }, 10_000n],
  ])('says the price: %s', (_, members, price) => {
    expect(claim(members).price).toBe(price);
  });

  it.each<[given: unknown, network: string | null]>([
    ['Base', BASE],
    ['base-mainnet', BASE],
    ['Base Mainnet', BASE],
    ['BSE', BASE],
    [' base ', BASE],
    ['eip155:8453', BASE],
    ['8453', BASE],
    [8453, BASE],
    [['base'], BASE],
    [['base', 'BASE', 8453], BASE],
    [['base', 'solana'], null],
    [['base', 'moonbase'], null],
    [[], null],
    ['SOLANA', SOLANA],
    ['solana_mainnet', SOLANA],
    ['matic', 'eip155:137'],
    ['arbitrum-one', 'eip155:42161'],
    ['Lightning', null],
    ['nano', null],
    [8453.5, null],
    [-1, null],
    [{ chainId: 8453 }, null],
    ['x'.repeat(200), null],
  ])('calls a network %j', (network, expected) => {
    expect(claim({ network }).network).toBe(expected);
  });
});
