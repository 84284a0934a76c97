import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { Reason } from '../../core/verdict/verdict.ts';
import { after, answering, type Behave, drifting, hangingUp, selling } from './behaviours.ts';
import { convertCurrency, deliverJunk, factorNumber, hashText } from './known-answers.ts';
import { cents, type SaleTerms, STRANGER, usdcOn } from './sale-terms.ts';
import type { Versions } from './seller-challenge.ts';

/** One seller: its listed terms, its actual behaviour, and the verdict of a check. */
export interface Seller {
  readonly name: string;
  /** Its actual behaviour, for the guide. */
  readonly truth: string;
  readonly behave: Behave;
  /** The reason of the verdict when the listed terms are expected. */
  readonly reason: Reason;
  /** The description in its 402 and in the lists. */
  readonly about: string;
  readonly claims: SaleTerms;
  readonly method: ProbeMethod;
  readonly versions: Versions;
  /** Parameters of a valid request. */
  readonly example: Readonly<Record<string, string>>;
}

/** Longer than the timeout of a probe. */
const SLOW_MS = 8_000;
/** Equal to the validity of its terms: a later check probes again. */
const DRIFT_MS = 10_000;

const FAIR = cents(1n);
const DEAR = cents(5n);
const HURRIED = { ...FAIR, seconds: DRIFT_MS / 1_000 };
const POLYGON = { network: 'eip155:137', asset: usdcOn('eip155:137') };
const BASE_SEPOLIA = { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' };
const EURO_COIN = '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42';
const TRIAL = { 'x-free-trial': 'true', 'x-free-trial-remaining': '3' };
const GARBLED = { 'payment-required': '{not base64}' };

type Row = Pick<Seller, 'name' | 'reason' | 'truth' | 'behave'> & Partial<Seller>;

/** A new table per sandbox: `drifting` is stateful. */
export function sellerTable(): readonly Seller[] {
  return [...checked(), ...delivering()].map((row) => ({
    about: 'Gives a small JSON document.',
    claims: FAIR,
    method: 'GET',
    versions: 'v2',
    example: {},
    ...row,
  }));
}

/** Sellers for every verdict. They deliver, too, when they are paid. */
function checked(): Row[] {
  return [
    {
      name: 'honest',
      reason: 'price_ok',
      truth: 'asks for the listed terms, in both versions of x402',
      behave: selling(FAIR),
      versions: 'both',
    },
    {
      name: 'honest-v1',
      reason: 'price_ok',
      truth: 'sends its challenge in the body (x402 version 1)',
      behave: selling(FAIR),
      versions: 'v1',
    },
    {
      name: 'honest-v2',
      reason: 'price_ok',
      truth: 'sends its challenge in a header (x402 version 2)',
      behave: selling(FAIR),
    },
    {
      name: 'raised-price',
      reason: 'price_mismatch',
      truth: 'asks for five times the listed price',
      behave: selling(DEAR),
    },
    {
      name: 'swapped-payee',
      reason: 'pay_to_mismatch',
      truth: "sends the money to a stranger's account",
      behave: selling({ ...FAIR, payTo: STRANGER }),
    },
    {
      name: 'wrong-network',
      reason: 'network_mismatch',
      truth: 'is listed on Base and asks on Polygon',
      behave: selling({ ...FAIR, ...POLYGON }),
    },
    {
      name: 'testnet',
      reason: 'network_unsupported',
      truth: 'is listed on a test network, and asks there',
      behave: selling({ ...FAIR, ...BASE_SEPOLIA }),
      claims: { ...FAIR, ...BASE_SEPOLIA },
    },
    {
      name: 'other-token',
      reason: 'asset_not_usdc',
      truth: 'asks for euro coins',
      behave: selling({ ...FAIR, asset: EURO_COIN }),
    },
    {
      name: 'no-paywall',
      reason: 'no_paywall',
      truth: 'has a listed price and asks for nothing',
      behave: answering(200),
    },
    {
      name: 'free-trial',
      reason: 'free_trial_active',
      truth: 'gives its first calls away',
      behave: answering(200, TRIAL),
    },
    {
      name: 'slow',
      reason: 'timeout',
      truth: 'answers after eight seconds',
      behave: after(SLOW_MS, selling(FAIR)),
    },
    { name: 'server-error', reason: 'server_error', truth: 'answers 503', behave: answering(503) },
    {
      name: 'malformed',
      reason: 'bad_challenge',
      truth: 'sends a challenge that cannot be parsed',
      behave: answering(402, GARBLED),
    },
    { name: 'gone', reason: 'unreachable', truth: 'hangs up', behave: hangingUp },
    {
      name: 'drifting',
      reason: 'price_ok',
      truth: 'is honest for ten seconds after its first call; then it asks for five times the price',
      behave: drifting(DRIFT_MS, selling(HURRIED), selling({ ...HURRIED, amount: DEAR.amount })),
      claims: HURRIED,
    },
  ];
}

/** Three sellers whose answers can be graded, and one that delivers junk. */
function delivering(): Row[] {
  const hashing = { about: 'Gives the SHA-256 of a text.', claims: cents(1n), example: { text: 'hello' } };
  return [
    {
      name: 'currency',
      reason: 'price_ok',
      truth: 'converts amounts, at rates that never change',
      about: 'Converts an amount of money.',
      behave: selling(cents(2n), convertCurrency),
      claims: cents(2n),
      example: { amount: '100', from: 'USD', to: 'EUR' },
    },
    {
      ...hashing,
      name: 'hash',
      reason: 'price_ok',
      truth: 'gives the SHA-256 of a text',
      behave: selling(hashing.claims, hashText),
      method: 'POST',
    },
    {
      name: 'factors',
      reason: 'price_ok',
      truth: 'gives the prime factors of a number',
      about: 'Gives the prime factors of a number.',
      behave: selling(cents(3n), factorNumber),
      claims: cents(3n),
      example: { n: '360' },
    },
    {
      ...hashing,
      name: 'junk',
      reason: 'price_ok',
      truth: 'takes the money for a SHA-256 and delivers junk',
      behave: selling(hashing.claims, deliverJunk),
    },
  ];
}
